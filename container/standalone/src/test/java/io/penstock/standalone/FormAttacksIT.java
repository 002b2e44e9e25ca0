package io.penstock.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks by what the server parses of a request: parameters, parts and cookies that need far more heap than bytes on the wire. The
 * application holds each request until the end of the attack.
 */
class FormAttacksIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** An eighth of the heap: {@code parsed-budget}. */
    private static final long BUDGET = 32 << 20;

    /** Heap for what else the held requests need, for example their connections. */
    private static final long FOR_A_REQUEST = 16 << 10;

    /** Heap for classes that the first form loads, and for the objects of the pool's segments, which lie outside the heap. */
    private static final long FOR_THE_FIRST = 2 << 20;

    @TempDir
    Path folder;

    @Test
    void formsWithEightMegabytesOfPartHeaders() throws Exception {
        byte[] request = multipart(999, "a:b\r\n".repeat(1600));
        try (AttackedServer server = AttackedServer.start(folder, List.of(FormHoldingServlet.class));
                Crowd attackers = new Crowd(server.port())) {
            int count = Math.max(10, AttackedServer.ATTACKERS / 200);
            attackers.connect(count, i -> request);
            attackers.awaitAnswered(count);
            assertEquals(count, attackers.answers(413));
            server.assertHonestUsersAreServed();
            server.awaitHeapOfBefore();
        }
    }

    /** The headers of each form are just below {@code multipart-header-limit}. */
    @Test
    void heldFormsWithManyPartHeaders() throws Exception {
        byte[] request = multipart(60, "a:b\r\n".repeat(1600));
        attack(Math.max(200, AttackedServer.ATTACKERS / 10), i -> request);
    }

    @Test
    void heldFormsWithOneLargeValue() throws Exception {
        byte[] request = post("application/x-www-form-urlencoded", bytes("a=" + "x".repeat((2 << 20) - 2)));
        attack(Math.max(64, AttackedServer.ATTACKERS / 20), i -> request);
    }

    @Test
    void heldFormsWithAThousandTinyParameters() throws Exception {
        String names =
                IntStream.range(0, 1000).mapToObj(i -> Integer.toString(i, 36)).collect(Collectors.joining("&"));
        byte[] request = post("application/x-www-form-urlencoded", bytes(names));
        attack(AttackedServer.ATTACKERS, i -> request);
    }

    @Test
    void heldQueriesWithAThousandTinyParameters() throws Exception {
        String names =
                IntStream.range(0, 1000).mapToObj(i -> Integer.toString(i, 36)).collect(Collectors.joining("&"));
        byte[] request = bytes("GET /hold?" + names + " HTTP/1.1\r\nHost: x\r\n\r\n");
        attack(AttackedServer.ATTACKERS, i -> request);
    }

    @Test
    void heldRequestsWithTwoHundredCookies() throws Exception {
        String cookies = IntStream.range(0, 200)
                .mapToObj(i -> Integer.toString(i, 36) + "=")
                .collect(Collectors.joining(";"));
        byte[] request = bytes("GET /hold HTTP/1.1\r\nHost: x\r\nCookie: " + cookies + "\r\n\r\n");
        attack(AttackedServer.ATTACKERS, i -> request);
    }

    /** Sends requests until the budget is used up. The heap must stay within the budget, and all of it must be free at the end. */
    private void attack(int count, IntFunction<byte[]> request) throws Exception {
        try (AttackedServer server = AttackedServer.start(folder, List.of(FormHoldingServlet.class))) {
            try (Crowd attackers = new Crowd(server.port())) {
                attackers.connect(count, request);
                attackers.awaitSent();
                await().atMost(PATIENCE).until(() -> attackers.answers(503) > 0);
                // A thread that has just refused a form may have no processor before it drops it.
                await().atMost(PATIENCE).untilAsserted(() -> {
                    long grown = server.liveHeap() - server.heapBefore();
                    System.out.printf(
                            "attackers: %d, refused: %d, live heap grown by %d MB%n",
                            count, attackers.answers(503), grown >> 20);
                    assertTrue(
                            grown <= BUDGET + FOR_THE_FIRST + count * FOR_A_REQUEST,
                            () -> "the live heap has grown by " + grown);
                });
                server.assertHonestUsersAreServed();
            }
            try (KeptConnection operator = new KeptConnection(server.port())) {
                assertEquals(200, operator.get("/release"));
            }
            await().atMost(PATIENCE).until(() -> server.metric("penstock_parsed_bytes") == 0);
            server.awaitHeapOfBefore();
        }
    }

    private static byte[] multipart(int parts, String lines) throws Exception {
        byte[] part =
                bytes("--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\"\r\n" + lines + "\r\n\r\n");
        ByteArrayOutputStream body = new ByteArrayOutputStream(parts * part.length + 10);
        for (int i = 0; i < parts; i++) {
            body.write(part);
        }
        body.write(bytes("--b--"));
        return post("multipart/form-data; boundary=b", body.toByteArray());
    }

    private static byte[] post(String type, byte[] body) throws Exception {
        ByteArrayOutputStream request = new ByteArrayOutputStream(body.length + 200);
        request.write(bytes("POST /hold HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.length + "\r\n\r\n"));
        request.write(body);
        return request.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
