"""An identity provider for tests: signs requested tokens, publishes its keys, and looks up access tokens.

Prints its port when it is ready, and ends with its standard input.

    GET  /keys         the key set, as the mode has it
    GET  /debug_token  what Facebook's Graph API says of an access token, and /me of the person
    POST /mode         {"mode": "up" | "down" | "failing" | "garbage" | "huge" | "slow", "cacheControl": text}
    POST /rotate       new keys in the place of the old
    POST /sign         {"claims", "algorithm", "key", "kid", "header"}: the token
    GET  /me/friends   those of the person, two a page
    GET  /picture      the bytes that the query has in hexadecimal
    POST /tokens       {"token", "about", "person", "friends", "endless"}: an access token that is looked up from now on
    POST /asked        how often keys and friends were asked for
"""
import base64, hashlib, hmac, http.server, json, sys, threading, urllib.parse
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa


class Keys:
    number = 0

    def __init__(self):
        Keys.number += 1
        self.private = {
            'RS256': rsa.generate_private_key(public_exponent=65537, key_size=2048),
            'ES256': ec.generate_private_key(ec.SECP256R1()),
        }

    def kid(self, algorithm):
        return f'{algorithm}-{self.number}'

    def published(self):
        algorithms = {'RS256': jwt.algorithms.RSAAlgorithm, 'ES256': jwt.algorithms.ECAlgorithm}
        keys = [
            json.loads(algorithms[name].to_jwk(key.public_key())) | {'kid': self.kid(name), 'use': 'sig', 'alg': name}
            for name, key in self.private.items()
        ]
        for key in keys:
            key.pop('key_ops', None)
        # Further entries of key sets: keys for other purposes, and of future types.
        return [{'kty': 'NEW', 'kid': 'new'}, {'kty': 'oct', 'k': 'c2VjcmV0', 'kid': 'oct'}, *keys]


published, stranger = Keys(), Keys()
mode, cache_control, asked = 'up', 'public, max-age=3600, must-revalidate', 0
tokens = {}


def encoded(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b'=').decode()


def sign(claims, algorithm='RS256', key='published', kid=None, header=None):
    keys = published if key == 'published' else stranger
    if algorithm in keys.private:
        kid = kid or published.kid(algorithm)
        return jwt.encode(claims, keys.private[algorithm], algorithm, headers={'kid': kid} | (header or {}))
    # Forged: with the public key as if it were a shared secret, or with no signature at all.
    head = {'alg': algorithm, 'typ': 'JWT', 'kid': kid or published.kid('RS256')} | (header or {})
    signed = f'{encoded(head)}.{encoded(claims)}'
    public = published.private['RS256'].public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    signature = encoded(hmac.new(public, signed.encode(), hashlib.sha256).digest()) if algorithm == 'HS256' else ''
    return f'{signed}.{signature}'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def answer(self, body, status=200, headers={}):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({'Content-Type': 'application/json', 'Content-Length': str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def unhelpful(self):
        if mode == 'down':
            self.close_connection = True
        elif mode == 'failing':
            self.answer(b'Try later', 503)
        elif mode == 'garbage':
            self.answer(b'<html>It works!</html>')
        elif mode == 'huge':
            self.answer(b'{"keys": [' + b' ' * (1 << 20) + b']}')
        elif mode == 'slow':
            self.connection.recv(1)  # Until the client has had enough.
            self.close_connection = True
        return mode != 'up'

    def do_GET(self):
        global asked
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == '/keys':
            asked += 1
        if self.unhelpful():
            return
        if url.path == '/keys':
            self.answer({'keys': published.published()}, headers={'Cache-Control': cache_control})
        elif url.path == '/debug_token' and query.get('input_token') in tokens:
            known = tokens[query['input_token']]
            good = query.get('access_token') in (query['input_token'], '123|app secret')
            self.answer({'data': known['about']} if good else {'error': {'code': 190}}, 200 if good else 400)
        elif url.path == '/me' and query.get('access_token') in tokens:
            proof = hmac.new(b'app secret', query['access_token'].encode(), hashlib.sha256).hexdigest()
            # A request that contains a forbidden field is rejected entirely.
            fields = [field.split('.')[0] for field in query['fields'].split('{')[0].split(',')]
            person = tokens[query['access_token']]['person']
            good = query.get('appsecret_proof', proof) == proof and 'REFUSED' not in map(person.get, fields)
            self.answer({k: v for k, v in person.items() if k in fields} if good else {}, 200 if good else 400)
        elif url.path == '/me/friends' and query.get('access_token') in tokens:
            asked += 1
            friends, isEndless = tokens[query['access_token']]['friends'], tokens[query['access_token']]['endless']
            start = int(query.get('after', 0))
            end = start + min(int(query['limit']), 2)
            some = friends[:2] if isEndless else friends[start:end]
            page = {'data': some, 'paging': {'cursors': {'before': str(start), 'after': str(end)}}}
            if isEndless or end < len(friends):
                page['paging']['next'] = 'http://127.0.0.1:1/never'
            self.answer(page)
        elif url.path == '/picture' and 'content' in query:
            self.answer(bytes.fromhex(query['content']), headers={'Content-Type': 'image/png'})
        else:
            self.answer({'error': {'code': 190}}, 400)

    def do_POST(self):
        global mode, cache_control, published
        told = json.loads(self.rfile.read(int(self.headers['Content-Length'])) or b'{}')
        answer = {}
        if self.path == '/mode':
            mode, cache_control = told.get('mode', mode), told.get('cacheControl', cache_control)
        elif self.path == '/rotate':
            published = Keys()
        elif self.path == '/sign':
            answer = sign(**told)
        elif self.path == '/tokens':
            tokens[told['token']] = told
        elif self.path == '/asked':
            answer = asked
        self.answer({'answer': answer})

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # A client that leaves is part of the tests. Its trace would hide the failures of a run.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
