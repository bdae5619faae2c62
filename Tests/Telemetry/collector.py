"""A collector for tests, which reads OTLP in Protocol Buffers with the messages of the OpenTelemetry project. Fields that
they do not have are wrong, and so are spans that are longer than the project would write them.

    python3 collector.py

Prints its port when it is ready, and ends with its standard input.

    POST /v1/traces, /v1/metrics
    POST /control   {"mode": MODE}; {"spans": N} and {"metrics": N} wait until as many spans, and as many exports of
                    metrics, have arrived; {"attempts": N} waits for as many requests. The answer has all of that.

Modes: up, down (503), slow (no response until the mode changes), garbage (no HTTP), limited (429), rejecting (400).
"""
import http.server, json, sys, threading
from google.protobuf import unknown_fields
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

changed = threading.Condition()
state = {'mode': 'up', 'attempts': 0, 'spans': [], 'metrics': [], 'wrong': []}


def value(any_value):
    return getattr(any_value, any_value.WhichOneof('value'))


def attributes(pairs):
    names = [pair.key for pair in pairs]
    assert len(names) == len(set(names)), names
    return {pair.key: value(pair.value) for pair in pairs}


def parse(message, body):
    message.ParseFromString(body)
    check(message)
    return message


def check(message):
    assert len(unknown_fields.UnknownFieldSet(message)) == 0, message
    for field, value in message.ListFields():
        if field.message_type:
            for inner in value if field.is_repeated else [value]:
                check(inner)


def traces(body):
    request = parse(trace_service_pb2.ExportTraceServiceRequest(), body)
    assert request.ByteSize() == len(body), (request.ByteSize(), len(body))
    for resource in request.resource_spans:
        of_resource = attributes(resource.resource.attributes)
        for scope in resource.scope_spans:
            for span in scope.spans:
                assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8), span
                assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
                yield {
                    'service': of_resource['service.name'], 'version': of_resource['service.version'],
                    'trace': span.trace_id.hex(), 'id': span.span_id.hex(), 'parent': span.parent_span_id.hex(),
                    'state': span.trace_state, 'name': span.name, 'kind': span.kind, 'status': span.status.code,
                    'start': span.start_time_unix_nano, 'end': span.end_time_unix_nano,
                    'attributes': attributes(span.attributes),
                }


def metrics(body):
    request = parse(metrics_service_pb2.ExportMetricsServiceRequest(), body)
    found = {}
    for metric in request.resource_metrics[0].scope_metrics[0].metrics:
        kind = metric.WhichOneof('data')
        points = []
        for point in getattr(metric, kind).data_points:
            if kind == 'histogram':
                assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric
                assert sum(point.bucket_counts) == point.count, metric
                number = point.count
            else:
                number = getattr(point, point.WhichOneof('value'))
            points.append({'labels': attributes(point.attributes), 'value': number})
        assert metric.name not in found, metric.name
        found[metric.name] = {'kind': kind, 'help': metric.description, 'unit': metric.unit, 'points': points}
    return found


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        if self.path == '/control':
            return self.answer(200, json.dumps(control(json.loads(body))).encode())
        with changed:
            state['attempts'] += 1
            changed.notify_all()
            changed.wait_for(lambda: state['mode'] != 'slow')
            mode = state['mode']
        if mode == 'garbage':
            self.wfile.write(b'\x00\xff nonsense \r\n\r\n')
            self.close_connection = True
            return
        statuses = {'down': 503, 'limited': 429, 'rejecting': 400}
        if mode in statuses:
            return self.answer(statuses[mode], b'{}')
        try:
            assert self.headers['content-type'] == 'application/x-protobuf', self.headers
            assert self.headers['api-key'] == 'a key', self.headers
            if self.path == '/v1/traces':
                arrived = ('spans', list(traces(body)))
            else:
                assert self.path == '/v1/metrics', self.path
                arrived = ('metrics', [metrics(body)])
        except Exception as error:
            arrived = ('wrong', [f'{type(error).__name__}: {error}'])
        with changed:
            state[arrived[0]] += arrived[1]
            changed.notify_all()
        self.answer(200, b'{}')

    def answer(self, status, body):
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        if status == 429:
            self.send_header('Retry-After', '1')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def control(command):
    with changed:
        if 'mode' in command:
            state['mode'] = command['mode']
            changed.notify_all()
        changed.wait_for(lambda: state['attempts'] >= command.get('attempts', 0) and (
            bool(state['wrong']) or all(len(state[of]) >= command.get(of, 0) for of in ('spans', 'metrics'))))
        return state


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
