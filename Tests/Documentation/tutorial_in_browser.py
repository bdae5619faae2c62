"""The tutorial's web page in Chromium, served by its development server from another origin.

    tutorial_in_browser.py HEARTH

Prints "ok" when one can sign in, add a chore and finish it, when a chore of somebody else appears by itself, when the
page goes on after a read-only server could not renew the token and after the member's family changed, when one can
sign in again after the session has ended and after the server could not be reached, and when an error of the program is
shown in place of endless requests. Streams cannot be iterated, as in some versions of Safari.
"""

import pathlib
import shutil
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tutorial_follow import DemoServer, add_chore, end, sign_out_everywhere, start

# The next two queries of the page get the error of a database that does not answer, and that of a proxy.
UNAVAILABLE = """
const { fetch } = window;
const answers = [
  ['{"data": null, "errors": [{"message": "Later.", "extensions": {"code": "STORAGE_UNAVAILABLE"}}]}', 200],
  ["<h1>Unavailable</h1>", 503],
];
window.fetch = async (url, options) => {
  if (answers.length === 0 || options.headers.Accept !== "application/json") return fetch(url, options);
  const [body, status] = answers.shift();
  return new Response(body, { status });
};
"""

# The next event stream of the page finds the token expired, which a read-only server cannot renew, and the one after it
# is that of a member who belongs to another family now.
MOVED = r"""
const { fetch } = window;
const codes = ["TOKEN_EXPIRED", "RIGHTS_CHANGED"];
const rejection = (code) => JSON.stringify({ errors: [{ message: code, extensions: { code } }] });
window.fetch = async (url, options) => {
  if (codes.length > 0 && options.body.includes("refreshSession")) return new Response(rejection("READ_ONLY"));
  if (codes.length === 0 || options.headers.Accept !== "text/event-stream") return fetch(url, options);
  return new Response(`event: next\ndata: ${rejection(codes.shift())}\n\n`);
};
"""

WITHOUT_ITERATION = "delete ReadableStream.prototype[Symbol.asyncIterator]"
# An error of the program: the name that the page uses is not defined.
WITHOUT_DECODER = "delete window.TextDecoderStream"

WEB = pathlib.Path(__file__).parents[2] / "Examples/tutorial/web"


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    run_in_each_page(driver, WITHOUT_ITERATION)
    return driver


def run_in_each_page(driver, script):
    """Before the scripts of the page."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})


def use(driver, page, server, address):
    def text():
        return driver.find_element(By.TAG_NAME, "body").text

    def wait_for(part):
        WebDriverWait(driver, 60, ignored_exceptions=[Exception]).until(lambda _: part in text(), f"{part}: {text()}")

    def sign_in(secret):
        for name, value in (("email", "ada@example.com"), ("password", secret)):
            driver.find_element(By.NAME, name).clear()
            driver.find_element(By.NAME, name).send_keys(value)
        driver.find_element(By.CSS_SELECTOR, "#sign-in button").click()

    def wait_until_shown_again():
        """The fields for new chores are new, and empty, then."""
        WebDriverWait(driver, 60, ignored_exceptions=[Exception]).until(
            lambda _: not driver.find_element(By.CSS_SELECTOR, "section input").get_property("value")
        )

    driver.get(page)
    sign_in("not hers")
    WebDriverWait(driver, 60).until(lambda _: driver.find_element(By.ID, "message").text)
    sign_in("hearth-demo")
    wait_for("Mia: 13 points")
    driver.find_elements(By.CSS_SELECTOR, "section button")[0].click()
    wait_for("Mia: 14 points")
    driver.find_element(By.CSS_SELECTOR, "section input").send_keys("Bake bread", Keys.ENTER)
    wait_for("Bake bread ✓")
    driver.find_element(By.CSS_SELECTOR, "section input").send_keys("Not yet ent")
    add_chore(server, address, "Walk the dog")
    wait_for("Walk the dog: OPEN")
    wait_until_shown_again()
    driver.execute_script(UNAVAILABLE)
    driver.find_element(By.CSS_SELECTOR, "section input").send_keys("Not yet ent")
    add_chore(server, address, "Fold the laundry")
    wait_until_shown_again()
    driver.get(page)
    wait_for("Mia: 14 points")
    assert "Not yet ent" not in text(), text()
    driver.execute_script(MOVED)
    driver.find_element(By.CSS_SELECTOR, "section input").send_keys("Not yet ent")
    server.end()
    server.start(HEARTH_ALLOWED_ORIGINS=page)
    wait_until_shown_again()

    sign_out_everywhere(server, address)
    wait_for("Sign in")
    wait_for("The session has ended: sign in again.")
    assert "Mia" not in text(), text()
    driver.get(page)
    wait_for("Sign in")
    server.end()
    sign_in("hearth-demo")
    wait_for("The server cannot be reached.")
    server.start(HEARTH_ALLOWED_ORIGINS=page)
    sign_in("hearth-demo")
    wait_for("Mia: 14 points")
    run_in_each_page(driver, WITHOUT_DECODER)
    driver.get(page)
    wait_for("TextDecoderStream is not defined")


def main():
    server = DemoServer(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        web = pathlib.Path(folder) / "web"
        shutil.copytree(WEB, web)
        files = start(["node", str(web / "serve.ts"), "0"])
        driver = None
        try:
            page = files.stdout.readline().strip()
            address = server.start(HEARTH_ALLOWED_ORIGINS=page)
            source = web / "page.ts"
            text = source.read_text()
            assert "http://127.0.0.1:8080/graphql" in text
            source.write_text(text.replace("http://127.0.0.1:8080/graphql", address))
            driver = browser()
            use(driver, page, server, address)
        finally:
            if driver:
                driver.quit()
            end(files)
            server.close()
    print("ok")


if __name__ == "__main__":
    main()
