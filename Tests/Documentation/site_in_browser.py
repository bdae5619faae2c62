"""The documentation's site in Chromium, opened from the disk.

    site_in_browser.py FOLDER PICTURES

Prints "ok" when no page is wider than the screen of a phone or a desktop, when the search finds a page, and when only
files of FOLDER were requested. Leaves screenshots of some pages in PICTURES.
"""

import json
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By

FOLDER, PICTURES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
SHOWN = ["index.html"] + [f"Documentation/{name}.html" for name in ("tutorial", "domain", "reference/chores")]


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def check_width(driver, page, width, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844 if width < 600 else 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.get(f"file://{FOLDER}/{page}")
    scrolled = driver.execute_script("return document.documentElement.scrollWidth")
    assert scrolled <= width, f"{page} is {scrolled} pixels wide on a screen of {width}"
    if page in SHOWN:
        name = page.replace("/", "-").removesuffix(".html")
        (PICTURES / f"{name}-{width}-{scheme}.png").write_bytes(driver.get_screenshot_as_png())


def check_search(driver):
    driver.get(f"file://{FOLDER}/index.html")
    driver.find_element(By.ID, "search").send_keys("assignPoints")
    found = driver.find_elements(By.CSS_SELECTOR, "#results a")
    assert found, "the search finds nothing"
    found[0].click()
    assert "/reference/chores.html" in driver.current_url, driver.current_url


def check_requests(driver):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            assert url.startswith((f"file://{FOLDER}/", "data:")), url
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not errors, errors


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    driver = browser()
    try:
        pages = [str(file.relative_to(FOLDER)) for file in sorted(FOLDER.glob("**/*.html"))]
        for page in pages:
            check_width(driver, page, 390, "light")
        for page in SHOWN:
            if page in pages:
                check_width(driver, page, 390, "dark")
                check_width(driver, page, 1440, "light")
                check_width(driver, page, 1440, "dark")
        check_search(driver)
        check_requests(driver)
    finally:
        driver.quit()
    print("ok")


if __name__ == "__main__":
    main()
