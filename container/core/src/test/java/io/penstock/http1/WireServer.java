package io.penstock.http1;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.http.FieldList;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Threads;
import io.penstock.limits.Timeouts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A real server on a real port with everything below the Servlet layer, for tests that speak bytes. */
final class WireServer implements AutoCloseable {
    final Http1Transport transport;

    WireServer(ServerConfig config, Admission admission, ExchangeHandler handler, ConnectionEvents events)
            throws IOException {
        transport = new Http1Transport(config, admission, handler, events, new Counters());
        transport.start();
    }

    static ServerConfig config() {
        ServerConfig all = ServerConfig.defaults();
        return new ServerConfig(
                new Listen("127.0.0.1", 0, 128, 0, 0, 1000),
                new Threads(4, 1, 64, 2),
                all.pipes(),
                all.wire(),
                all.requests(),
                all.timeouts());
    }

    static ServerConfig config(Timeouts timeouts) {
        ServerConfig all = config();
        return new ServerConfig(all.listen(), all.threads(), all.pipes(), all.wire(), all.requests(), timeouts);
    }

    static WireServer echo() throws IOException {
        return echo(config());
    }

    /** Answers each request with its method, path and body. */
    static WireServer echo(ServerConfig config) throws IOException {
        return new WireServer(
                config,
                head -> new Admission.Admitted(
                        "", Admission.Mode.BUFFERED, config.wire().bodyBytes()),
                WireServer::echo,
                ConnectionEvents.NONE);
    }

    static void echo(Exchange exchange) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write((exchange.head().method() + " " + exchange.head().target().path() + "\n")
                .getBytes(StandardCharsets.UTF_8));
        byte[] buffer = new byte[4096];
        for (int n = exchange.body().read(buffer, 0, buffer.length);
                n >= 0;
                n = exchange.body().read(buffer, 0, buffer.length)) {
            all.write(buffer, 0, n);
        }
        exchange.response().head(new ResponseHead(200, new FieldList().add("Content-Type", "text/plain"), -1));
        exchange.response().write(ByteBuffer.wrap(all.toByteArray()), true);
    }

    int port() throws IOException {
        return transport.address().getPort();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        transport.stop(Duration.ofSeconds(5));
    }
}
