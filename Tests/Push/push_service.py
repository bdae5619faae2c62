"""Push services and a webhook for tests. Verifies signatures and decrypts with other people's implementations: PyJWT,
http_ece, standardwebhooks and h2.

    python3 push_service.py CERTIFICATE KEY

Prints its ports when it is ready, as [HTTP/1.1, HTTP/2 with TLS], and ends with its standard input.

    POST /web/NAME        the endpoint of a push subscription
    POST /webhook         the webhook
    POST /token           access tokens of a service account
    POST /v1/projects/home/messages:send    Google's push service
    POST /3/device/TOKEN  Apple's push service, on the HTTP/2 port; its sandbox with /sandbox in front
    POST /control         {"mode": MODE}, with "of" for paths with a prefix; {"subscribe": NAME}; {"await": N}, which
                          waits for N messages; {"attempts": N}; the answer has all that was received

Modes: up, down (503), slow (no response until the mode changes), garbage (no HTTP), huge (a body that does not end soon),
gone (the device has expired), limited (429, try again in two minutes), rejecting (400), foreign (the device is of
another app), malformed (the registration token is), unauthorized (Google has no valid key for the service behind it),
environment (Apple's key is for the other environment).

Google's path is the same for all devices: for modes, it ends with /TOKEN.
"""
import base64, datetime, http.server, json, socket, ssl, sys, threading, urllib.parse
import h2.config, h2.connection, h2.events, http_ece, jwt, standardwebhooks
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

certificate, certificate_key = sys.argv[1:3]
webhook_secret = 'whsec_' + base64.b64encode(b'a secret for tests, long enough').decode()
apple_key = ec.generate_private_key(ec.SECP256R1())
google_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
modes, changed = {}, threading.Condition()
received, subscriptions, granted = [], {}, []


def pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def subscribe(name):
    key, secret = ec.generate_private_key(ec.SECP256R1()), name.encode().ljust(16, b'.')[:16]
    subscriptions[name] = (key, secret)
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return {'endpoint': f'http://127.0.0.1:{port}/web/{name}', 'p256dh': encoded(point), 'auth': encoded(secret)}


def web(path, headers, body):
    name = path.removeprefix('/web/')
    key, secret = subscriptions[name]
    assert headers['content-encoding'] == 'aes128gcm' and int(headers['ttl']) > 0, headers
    assert len(headers['topic']) <= 32 and headers['urgency'] in ('normal', 'high')
    scheme, parameters = headers['authorization'].split(' ', 1)
    parameters = dict(part.strip().split('=', 1) for part in parameters.split(','))
    assert scheme == 'vapid'
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parameters['k']))
    claims = jwt.decode(parameters['t'], public, ['ES256'], options={'verify_exp': False, 'verify_aud': False})
    assert claims['aud'] == f'http://127.0.0.1:{port}' and claims['sub'].startswith(('mailto:', 'https:')), claims
    content = http_ece.decrypt(body, private_key=key, auth_secret=secret, version='aes128gcm')
    return {'kind': 'web', 'to': name, 'key': parameters['k'], 'expires': claims['exp'], 'bytes': len(body),
            'topic': headers['topic'], 'payload': json.loads(content)}


def webhook(path, headers, body):
    identifier, time = headers['webhook-id'], int(headers['webhook-timestamp'])
    moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    expected = standardwebhooks.Webhook(webhook_secret).sign(identifier, moment, body.decode())
    assert headers['webhook-signature'] == expected, headers
    return {'kind': 'webhook', 'to': 'webhook', 'id': identifier, 'time': time, 'payload': json.loads(body)}


def google(path, headers, body):
    assert headers['authorization'] == f'Bearer {granted[-1]}', headers
    message = json.loads(body)['message']
    return {'kind': 'google', 'to': message['token'], 'payload': message}


def apple(path, headers, body):
    scheme, token = headers['authorization'].split()
    claims = jwt.decode(token, apple_key.public_key(), ['ES256'], options={'verify_iat': False})
    assert scheme == 'bearer' and claims['iss'] == 'TEAM' and jwt.get_unverified_header(token)['kid'] == 'KEY'
    assert headers['apns-topic'] == 'com.example.home' and headers['apns-push-type'] == 'alert'
    to = path.removeprefix('/sandbox').removeprefix('/3/device/')
    return {'kind': 'apple', 'to': to, 'http': 2, 'payload': json.loads(body)}


def grant(body):
    form = urllib.parse.parse_qs(body.decode())
    assert form['grant_type'] == ['urn:ietf:params:oauth:grant-type:jwt-bearer']
    claims = jwt.decode(form['assertion'][0], google_key.public_key(), ['RS256'],
                        options={'verify_exp': False, 'verify_iat': False, 'verify_aud': False})
    assert claims['iss'] == 'sender@home.example' and claims['aud'].endswith('/token'), claims
    granted.append(f'token-{len(granted)}')
    return {'access_token': granted[-1], 'expires_in': 3600, 'token_type': 'Bearer'}


def mode(path):
    """That of the longest prefix."""
    return modes[max((prefix for prefix in modes if path.startswith(prefix)), key=len)] if any(
        path.startswith(prefix) for prefix in modes) else 'up'


def answer(path, headers, body):
    """The status, the headers and the body of a response; None for what is no HTTP."""
    if path == '/control':
        told = json.loads(body)
        reply = {}
        with changed:
            if 'mode' in told: modes[told.get('of', '/')] = told['mode']
            if 'attempts' in told:
                changed.wait_for(lambda: len(received) >= told['attempts'], 60)
            if 'subscribe' in told: reply['subscription'] = subscribe(told['subscribe'])
            changed.notify_all()
            changed.wait_for(lambda: len([1 for item in received if item['kind'] != 'attempt']) >= told.get('await', 0), 60)
            reply |= {'received': list(received), 'granted': len(granted), 'webhookSecret': webhook_secret}
        return 200, {}, json.dumps(reply).encode()
    if path.startswith('/v1/'): path += '/' + json.loads(body)['message']['token']
    with changed:
        attempt = {'kind': 'attempt', 'path': path, 'mode': mode(path)}
        received.append(attempt)
        changed.notify_all()
        changed.wait_for(lambda: mode(path) != 'slow')
        now = mode(path)
    if now == 'down': return 503, {}, b''
    if now == 'garbage': return None
    if now == 'limited': return 429, {'retry-after': '120'}, b'{"reason": "TooManyProviderTokenUpdates"}'
    if now == 'rejecting': return 400, {}, b'{"reason": "PayloadEmpty", "error": {"status": "INVALID_ARGUMENT"}}'
    if path == '/token': return 200, {}, json.dumps(grant(body)).encode()
    if now == 'unauthorized':
        return 401, {}, json.dumps({'error': {'details': [{'errorCode': 'THIRD_PARTY_AUTH_ERROR'}]}}).encode()
    if now == 'environment': return 403, {}, b'{"reason": "BadEnvironmentKeyIdInToken"}'
    if now == 'malformed':
        violation = {'field': 'message.token', 'description': 'Invalid registration token'}
        details = [{'errorCode': 'INVALID_ARGUMENT'}, {'fieldViolations': [violation]}]
        return 400, {}, json.dumps({'error': {'status': 'INVALID_ARGUMENT', 'details': details}}).encode()
    if now == 'foreign':
        if path.startswith('/web/'): return 403, {}, b''
        if path.startswith('/v1/'):
            return 403, {}, json.dumps({'error': {'details': [{'errorCode': 'SENDER_ID_MISMATCH'}]}}).encode()
        return 400, {}, b'{"reason": "DeviceTokenNotForTopic"}'
    if now == 'missing': return 404, {}, b''
    if now == 'gone':
        if path.startswith('/v1/'):
            return 404, {}, json.dumps({'error': {'details': [{'errorCode': 'UNREGISTERED'}]}}).encode()
        return 410, {}, b'{"reason": "Unregistered"}'
    handlers = {'/webhook': webhook, '/web/': web, '/v1/': google, '/3/': apple, '/sandbox/': apple}
    chosen = next(handler for prefix, handler in handlers.items() if path.startswith(prefix))
    try:
        item = chosen(path, headers, body)
    except Exception as error:
        item = {'kind': 'wrong', 'path': path, 'error': repr(error)}
    with changed:
        received.remove(attempt)
        received.append(item)
        changed.notify_all()
    status = 201 if chosen is web else 200
    return status, {}, b'x' * (1 << 20) if now == 'huge' else b'{}'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        result = answer(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        if result is None:
            self.wfile.write(b'\x00\x01\x02 this is no HTTP\r\n\r\n')
            self.close_connection = True
            return
        status, headers, content = result
        try:
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            self.send_header('content-length', str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            self.close_connection = True

    def log_message(self, *arguments): pass


def serve_http2(connection):
    state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    requests = {}
    while data := connection.recv(65536):
        for event in state.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                headers = {name.decode(): value.decode() for name, value in event.headers}
                requests[event.stream_id] = (headers, b'')
            elif isinstance(event, h2.events.DataReceived):
                headers, body = requests[event.stream_id]
                requests[event.stream_id] = (headers, body + event.data)
                state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                headers, body = requests.pop(event.stream_id)
                result = answer(headers[':path'], headers, body)
                if result is None:
                    connection.sendall(b'this is no HTTP/2 at all')
                    return connection.close()
                status, more, content = result
                state.send_headers(event.stream_id, [(':status', str(status)), *more.items()])
                state.send_data(event.stream_id, content[:1000], end_stream=True)
        connection.sendall(state.data_to_send())


def listen_http2(listener, context):
    def accept(raw):
        try:
            serve_http2(context.wrap_socket(raw, server_side=True))
        except OSError:
            pass
    while True: threading.Thread(target=accept, args=(listener.accept()[0],), daemon=True).start()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(('127.0.0.1', 0), Handler)
port = server.server_address[1]
listener = socket.create_server(('127.0.0.1', 0), backlog=128)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, certificate_key)
context.set_alpn_protocols(['h2'])
threading.Thread(target=server.serve_forever, daemon=True).start()
threading.Thread(target=listen_http2, args=(listener, context), daemon=True).start()
account = {
    'type': 'service_account', 'project_id': 'home', 'private_key': pem(google_key), 'private_key_id': 'one',
    'client_email': 'sender@home.example', 'token_uri': f'http://127.0.0.1:{port}/token',
}
print(json.dumps([port, listener.getsockname()[1], webhook_secret, pem(apple_key), account]), flush=True)
sys.stdin.read()
