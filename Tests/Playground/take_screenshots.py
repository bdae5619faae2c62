"""Makes the pictures of the playground in Documentation again: HEARTH_URL says where a server with demo data is."""

import io
import os
import pathlib

from PIL import Image
from selenium.webdriver.common.keys import Keys

os.environ.setdefault("HEARTH_SCREENSHOTS", "")

from browser import PlaygroundTestCase  # noqa: E402: it reads the environment

DOCUMENTATION = pathlib.Path(__file__).parents[2] / "Documentation"
QUERY = """query Dashboard {
  family {
    name
    children {
      name
      points
      rewardLevel { reward }
      assignedChores(first: 2) {
        nodes { name priority }
      }
    }
  }
}"""


class Screenshots(PlaygroundTestCase):
    def runTest(self):
        self.size((1200, 700))
        self.sign_in()
        self.write("query", QUERY)
        self.click("#run")
        self.wait_for("#status", "200")
        self.find("#tab-docs").click()
        self.wait_until(lambda: "Loading" not in self.find("#docs").text)
        self.find("#docs-search").send_keys("child", Keys.ENTER)
        self.wait_for("#docs h3", "Child")
        self.driver.execute_script("document.activeElement.blur()")
        self.wait_until(lambda: not self.find("#toast").text)
        for scheme in ("light", "dark"):
            self.color_scheme(scheme)
            picture = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
            picture.save(DOCUMENTATION / f"playground-{scheme}.png", optimize=True)


if __name__ == "__main__":
    import unittest

    unittest.main()
