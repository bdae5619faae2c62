"""The pages behind the links in mails, as people without the app use them: by keyboard, without scripts of the page."""

import email
import email.policy
import json
import os
import pathlib
import re
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import URL, PlaygroundTestCase

OUTBOX = pathlib.Path(os.environ["HEARTH_OUTBOX"])
ORIGIN = URL.removesuffix("/graphql")
PASSWORD = "correct horse battery"


class AccountPages(PlaygroundTestCase):
    def link(self, subject):
        """The link of the newest mail about something, once it is there."""

        def find():
            for file in sorted(OUTBOX.glob("*.eml"), reverse=True):
                mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
                if subject in mail["Subject"]:
                    return re.search(r"http\S+", mail.get_body(("plain",)).get_content()).group()

        return self.wait_until(find, f"no mail about {subject}")

    def fill(self, **values):
        for name, value in values.items():
            field = self.find(f"#{name}")
            if field.get_attribute("type") == "date":
                self.driver.execute_script("arguments[0].value = arguments[1]", field, value)
            else:
                field.clear()
                field.send_keys(value)

    def look(self, name):
        """The page as it is on a computer and on a phone, in light and in dark colours."""
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            self.check(f"{name}, {scheme}")
            self.screenshot(f"{name}-{scheme}")
        self.color_scheme("light")
        with self.on_phone():
            self.check(f"{name}, phone")
            self.screenshot(f"{name}-phone")
            wide = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
            self.assertFalse(self.driver.execute_script(wide))

    def test_register_verify_and_choose_a_new_password(self):
        self.driver.get(f"{ORIGIN}/register")
        self.look("pages-register")
        self.find("main button").send_keys(Keys.ENTER)
        self.wait_for("[role=alert] h2", "That did not work")
        self.look("pages-register-errors")
        # A link of the list leads to its field.
        self.find("[role=alert] a[href='#email']").send_keys(Keys.ENTER)
        self.press(Keys.TAB)
        self.fill(
            name="Grace Hopper", email="grace.pages@example.com", dateOfBirth="1986-12-09",
            newPassword=PASSWORD, repeatedPassword=PASSWORD,
        )  # fmt: skip
        self.press(Keys.ENTER)
        self.wait_for("h1", "Your account was created")
        self.look("pages-registered")

        self.driver.get(self.link("Confirm your e-mail address"))
        self.look("pages-verify")
        self.find("main button").send_keys(Keys.ENTER)
        self.wait_for("h1", "Your address is confirmed")
        self.assertEqual(self.driver.current_url, f"{ORIGIN}/verify-email")

        query = 'mutation { requestPasswordReset(email: "grace.pages@example.com") { userErrors { code } } }'
        request = urllib.request.Request(
            URL, json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request).read()
        self.driver.get(self.link("Choose a new password"))
        self.fill(newPassword="a new pass phrase", repeatedPassword="another pass phrase")
        self.press(Keys.ENTER)
        self.wait_for(".error", "The two passwords are not the same.")
        self.look("pages-reset-errors")
        self.fill(newPassword="a new pass phrase", repeatedPassword="a new pass phrase")
        self.press(Keys.ENTER)
        self.wait_for("h1", "Your password was changed")

        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        sent = [one["params"]["request"] for one in messages if one["method"] == "Network.requestWillBeSent"]
        self.assertTrue(any(request["method"] == "POST" for request in sent))
        for request in sent:
            referrer = {name.lower(): value for name, value in request["headers"].items()}.get("referer", "")
            self.assertNotIn("token", referrer)
            # The browser draws the icon of the date field from a data URL.
            self.assertTrue(request["url"].startswith((ORIGIN, "data:")), request["url"])

    def test_invitation_in_french(self):
        self.driver.get(f"{ORIGIN}/accept-invitation?lang=fr&token=none")
        self.assertEqual(self.find("html").get_attribute("lang"), "fr")
        self.look("pages-invitation")
        self.fill(email="ada@example.com", password="hearth-demo")
        self.press(Keys.ENTER)
        self.wait_for("[role=alert]", "Ce lien ou ce code n’est pas valide.")
        self.look("pages-invitation-errors")
