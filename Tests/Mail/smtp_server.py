"""A mail server for tests: writes each accepted mail unchanged to a folder, and its envelope next to it.

    smtp_server.py FOLDER [--certificate FILE --key FILE [--implicit]] [--user NAME --password TEXT] [--refuse COUNT]
        [--never ADDRESS]

Prints its port when it is ready, and ends with its standard input.
"""
import argparse, asyncio, json, pathlib, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

parser = argparse.ArgumentParser()
parser.add_argument('folder', type=pathlib.Path)
parser.add_argument('--certificate')
parser.add_argument('--key')
parser.add_argument('--implicit', action='store_true')
parser.add_argument('--user')
parser.add_argument('--password')
parser.add_argument('--refuse', type=int, default=0)
parser.add_argument('--never')
options = parser.parse_args()

class Handler:
    count = 0
    refusals = options.refuse

    async def handle_RCPT(self, server, session, envelope, address, options_):
        if address == options.never:
            return '550 Nobody has this address'
        envelope.rcpt_tos.append(address)
        return '250 OK'

    async def handle_DATA(self, server, session, envelope):
        if b'Never take this' in envelope.original_content:
            return '554 Not that'
        if self.refusals > 0:
            self.refusals -= 1
            return '451 Come back later'
        self.count += 1
        (options.folder / f'{self.count:03}.eml').write_bytes(envelope.original_content)
        (options.folder / f'{self.count:03}.json').write_text(json.dumps({
            'from': envelope.mail_from, 'to': envelope.rcpt_tos, 'tls': options.implicit or session.ssl is not None,
            'user': session.auth_data.login.decode() if session.auth_data else None}))
        return '250 OK'

def authenticate(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.login == options.user.encode() \
        and data.password == options.password.encode()
    return AuthResult(success=good, auth_data=data if good else None, handled=False)

context = None
if options.certificate:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(options.certificate, options.key)
signing_in = {}
if options.user:
    signing_in = {'authenticator': authenticate, 'auth_required': True, 'auth_require_tls': context is not None}
handler = Handler()

async def serve():
    loop = asyncio.get_running_loop()
    starting = {} if options.implicit else {'tls_context': context}
    server = await loop.create_server(lambda: SMTP(handler, **starting, **signing_in), '127.0.0.1', 0,
        ssl=context if options.implicit else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)

asyncio.run(serve())
