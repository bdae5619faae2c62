"""The page and the service worker of Documentation/web.md in headless Chromium. Prints "ok".

    python3 web_push_in_browser.py PAGE_CODE WORKER_CODE SUBSCRIPTION GRAPHQL_URL TOKEN PUSH_SERVICE_URL

Chromium's own push service is Google's, which a test cannot use, and there is no desktop that shows notifications. So
three parts are replaced: `PushManager.subscribe` returns SUBSCRIPTION; the message that push_service.py receives and
decrypts is passed to the worker by Chromium's debugging protocol; and `showNotification` tells the page.
"""
import http.server, itertools, json, sys, threading, time, urllib.request
import websockets.sync.client
from selenium import webdriver

page, worker, subscription = open(sys.argv[1]).read(), open(sys.argv[2]).read(), json.loads(sys.argv[3])
endpoint, token, push_service = sys.argv[4:]

PAGE = """<!doctype html><title>Home</title><script type="module">
const send = async (query, variables) => (await fetch("/graphql", {
  method: "POST", body: JSON.stringify({ query, variables }) })).json();
PushManager.prototype.subscribe = async function (options) {
  if (!options.userVisibleOnly) throw new Error("userVisibleOnly");
  // As a browser does.
  if (!(await navigator.serviceWorker.getRegistration())?.active) throw new Error("no active worker");
  const key = options.applicationServerKey;
  // As a browser does: the point of a public key, in base64url.
  const point = Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  await crypto.subtle.importKey("raw", point, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
  return { toJSON: () => (SUBSCRIPTION) };
};
window.shown = [];
navigator.serviceWorker.onmessage = (event) => window.shown.push(event.data);
try {
CODE
window.outcome = "registered";
} catch (error) { window.outcome = String(error); }
</script>""".replace("CODE", page).replace("SUBSCRIPTION", json.dumps(subscription))

# Its installation takes longer than the page's request for the key.
WORKER = """
self.addEventListener("install", (event) => event.waitUntil(new Promise((resume) => setTimeout(resume, 2000))));
ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
  const pages = await self.clients.matchAll({ includeUncontrolled: true });
  for (const page of pages) page.postMessage([title, body, tag, data.type]);
};
"""


def post(url, body, **headers):
    request = urllib.request.Request(url, body, {'content-type': 'application/json'} | headers)
    return urllib.request.urlopen(request).read()


class Debugger:
    """A connection to the page by Chromium's debugging protocol, which also passes events on."""

    def __init__(self, socket):
        self.socket, self.numbers, self.registrations = socket, itertools.count(1), []

    @staticmethod
    def url(driver, origin):
        address = driver.capabilities['goog:chromeOptions']['debuggerAddress']
        pages = json.load(urllib.request.urlopen(f'http://{address}/json'))
        return next(page['webSocketDebuggerUrl'] for page in pages
                    if page['url'].startswith(origin) and page['type'] == 'page')

    def receive(self):
        message = json.loads(self.socket.recv(timeout=30))
        if message.get('method') == 'ServiceWorker.workerRegistrationUpdated':
            self.registrations += [found['registrationId'] for found in message['params']['registrations']]
        return message

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({'id': number, 'method': method, 'params': parameters}))
        while (message := self.receive()).get('id') != number: pass
        assert 'error' not in message, message

    def registration(self):
        while not self.registrations: self.receive()
        return self.registrations[0]


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass

    def reply(self, content, type):
        self.send_response(200)
        self.send_header('content-type', type)
        self.send_header('content-length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        if self.path == '/worker.js': self.reply((WORKER + worker).encode(), 'text/javascript')
        else: self.reply(PAGE.encode(), 'text/html')

    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        self.reply(post(endpoint, body, authorization=f'Bearer {token}'), 'application/json')


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
origin = f'http://127.0.0.1:{server.server_port}'
options = webdriver.ChromeOptions()
options.binary_location = '/usr/bin/chromium'
for option in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage'): options.add_argument(option)
driver = webdriver.Chrome(options=options, service=webdriver.ChromeService('/usr/bin/chromedriver'))
try:
    driver.execute_cdp_cmd('Browser.grantPermissions', {'permissions': ['notifications'], 'origin': origin})
    driver.get(origin)
    while not (outcome := driver.execute_script('return window.outcome')): time.sleep(0.05)
    assert outcome == 'registered', outcome
    with websockets.sync.client.connect(Debugger.url(driver, origin)) as socket:
        debugger = Debugger(socket)
        debugger.call('ServiceWorker.enable')
        registration = debugger.registration()
        # Waits for the message.
        message = json.loads(post(push_service, b'{"await": 1}'))['received'][-1]['payload']
        expected = ['Home', message['message'], message['id'], message['type']]
        # It can arrive twice.
        for count in (1, 2):
            debugger.call('ServiceWorker.deliverPushMessage',
                          origin=origin, registrationId=registration, data=json.dumps(message))
            while len(shown := driver.execute_script('return window.shown')) < count: time.sleep(0.05)
            assert shown == [expected] * count, shown
        print('ok')
finally:
    driver.quit()
