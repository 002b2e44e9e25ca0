package io.penstock.http1;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.http.FieldList;
import io.penstock.http.ResponseHead;
import io.penstock.limits.*;
import io.penstock.pipe.Segment;
import java.nio.charset.StandardCharsets;

final class WireMain {
    public static void main(String[] args) throws Exception {
        ServerConfig all = ServerConfig.defaults();
        ServerConfig config = new ServerConfig(
                new Listen("127.0.0.1", Integer.parseInt(args[0]), 4096, 0, 0, 20000),
                new Threads(4, 1, 10000, 2),
                all.pipes(),
                all.wire(),
                all.requests(),
                all.timeouts());
        byte[] hello = "Hello, World!".getBytes(StandardCharsets.UTF_8);
        Admission.Admitted ok = new Admission.Admitted("", Admission.Mode.BUFFERED, 1 << 20);
        new WireServer(
                config,
                head -> ok,
                e -> {
                    if (e.head().target().path().equals("/echo")) {
                        WireServer.echo(e);
                        return;
                    }
                    e.response().head(new ResponseHead(200, new FieldList().add("Content-Type", "text/plain"), -1));
                    Segment s = e.response().segment();
                    s.buffer().put(hello).flip();
                    e.response().write(s, true);
                },
                ConnectionEvents.NONE);
    }
}
