package io.penstock.http1;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.Upgrade;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * An upgraded protocol that sends each received byte back. It reads only when bytes have arrived, so it does not block a worker. {@link
 * #calls} records the events of this object, in order.
 */
public class RawEcho implements Upgrade {
    static final String REQUEST = "GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

    final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final Exchange exchange;
    private final byte[] buffer = new byte[4096];

    RawEcho(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Returns a handler that switches each connection to this protocol. */
    public static ExchangeHandler switching() {
        return switching(RawEcho::new);
    }

    /** Returns a handler that switches each connection to the protocol that {@code next} creates. */
    static ExchangeHandler switching(Function<Exchange, Upgrade> next) {
        return exchange -> {
            exchange.response().head(new ResponseHead(101, new FieldList().add("Upgrade", "echo"), -1));
            exchange.response().finish(Fields.EMPTY);
            exchange.upgrade(next.apply(exchange));
        };
    }

    @Override
    public void begin(RawConnection connection) {
        calls.add("begun");
        listen(connection);
    }

    private void listen(RawConnection connection) {
        connection.input().whenReady(() -> exchange.resume(() -> echo(connection)));
    }

    private void echo(RawConnection connection) {
        try {
            while (connection.input().isReady()) {
                int count = connection.input().read(buffer, 0, buffer.length);
                if (count < 0) {
                    calls.add("end");
                    connection.close();
                    return;
                }
                connection.output().write(ByteBuffer.wrap(buffer, 0, count), false);
            }
            listen(connection);
        } catch (IOException e) {
            calls.add("failed");
        }
    }

    @Override
    public void leave() {
        calls.add("leave");
    }

    @Override
    public void ended() {
        calls.add("ended");
    }
}
