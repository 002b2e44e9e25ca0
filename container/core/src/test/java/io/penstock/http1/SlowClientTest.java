package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A slow client occupies no worker. The server has only one worker, and must still serve other clients. Each test runs three times: over
 * plain sockets, over records and over TLS ({@link RawClient.Layer}).
 */
final class SlowClientTest {
    private static final int RESPONSE_BYTES = 50_000;

    private static Site site() {
        return new Site().on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, RESPONSE_BYTES));
            exchange.response().write(ByteBuffer.wrap(new byte[RESPONSE_BYTES]), true);
        });
    }

    private static void assertServesAnotherClient(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 10; i++) {
                client.send("POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na");
                assertEquals("POST /other\na", client.answer().body());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void idleConnectionsUseNoWorkerAndNoMemory(RawClient.Layer layer) throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().over(layer).workers(1), site())) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                RawClient client = server.connect();
                idle.add(client);
                if (i % 2 == 0) {
                    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertEquals(200, client.answer().status());
                }
            }
            assertServesAnotherClient(server);
            server.awaitNothingHeld();
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsWithAnIncompleteRequestHeadUseNoWorkerAndNoMemory(RawClient.Layer layer) throws Exception {
        String head = "GET /a HTTP/1.1\r\nHost: x\r\nX-Y: z\r\n\r\n";
        try (WireServer server = WireServer.with(new WireConfig().over(layer).workers(1), site())) {
            List<RawClient> slow = new ArrayList<>();
            for (int cut = 1; cut < head.length(); cut++) {
                slow.add(server.connect().send(head.substring(0, cut)));
            }
            assertServesAnotherClient(server);
            server.awaitNothingHeld();
            for (int i = 0; i < slow.size(); i++) {
                slow.get(i).send(head.substring(i + 1));
                assertEquals("GET /a\n", slow.get(i).answer().body());
                slow.get(i).close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatSendABodySlowlyUseNoWorker(RawClient.Layer layer) throws Exception {
        String body = "0123456789".repeat(1000);
        try (WireServer server = WireServer.with(new WireConfig().over(layer).workers(1), site())) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(server.connect().send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n"));
            }
            int sent = 0;
            for (int piece : new int[] {1, 2, 3, 4000, 1, 5000}) {
                for (RawClient client : slow) {
                    client.send(body.substring(sent, sent + piece));
                }
                sent += piece;
                assertServesAnotherClient(server);
            }
            for (RawClient client : slow) {
                client.send(body.substring(sent));
                assertEquals("POST /a\n" + body, client.answer().body());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatReadSlowlyUseNoWorkerIfTheResponseFitsIntoMemory(RawClient.Layer layer) throws Exception {
        try (WireServer server =
                WireServer.with(new WireConfig().over(layer).workers(1).sendBuffer(4096), site())) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(server.connectWithReceiveBuffer(4096).send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
            }
            server.awaitHeld();
            assertServesAnotherClient(server);
            for (RawClient client : slow) {
                assertEquals(RESPONSE_BYTES, client.answer().body().length());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }
}
