package io.penstock.loadtest.compare.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ScriptedServer;
import io.penstock.testing.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how simulated users react to different servers. Each server is a socket of the test. */
@Timeout(120)
class UserCrowdTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String OK_KEEP_ALIVE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String OK_CLOSE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

    private final AtomicInteger accepted = new AtomicInteger();

    @Test
    void aUserReusesItsConnectionForFurtherRequests() throws Exception {
        try (ServerSocket server = serving(OK_KEEP_ALIVE);
                UserCrowd crowd = new UserCrowd(address(server), 3)) {
            AnswerTally tally = countResponses(crowd, server, so -> so.usersServed() == 3 && so.answers() > 3);
            assertEquals(3, accepted.get());
            assertEquals(3, crowd.connects().made());
            assertEquals(3, tally.usersServed());
            assertTrue(tally.answers() > 3, "too few responses: " + tally.answers());
            assertEquals(0, tally.troubles());
        }
    }

    @Test
    void aUserReconnectsWithoutAnErrorAfterTheServerHasClosedTheConnection() throws Exception {
        try (ServerSocket server = serving(OK_CLOSE);
                UserCrowd crowd = new UserCrowd(address(server), 3)) {
            AnswerTally tally =
                    countResponses(crowd, server, so -> crowd.connects().made() > 3);
            assertTrue(
                    crowd.connects().made() > 3,
                    "too few connections: " + crowd.connects().made());
            assertEquals(0, crowd.connects().errors());
            assertEquals(0, tally.troubles());
        }
    }

    @Test
    void aResponseWithAnErrorStatusIsCountedOnlyAsAnError() throws Exception {
        try (ServerSocket server = serving(OK_KEEP_ALIVE.replace("200 OK", "503 Busy"));
                UserCrowd crowd = new UserCrowd(address(server), 2)) {
            AnswerTally tally = countResponses(crowd, server, so -> so.troubles() > 0);
            assertEquals(0, tally.answers());
            assertEquals(0, tally.usersServed());
            assertTrue(tally.troubles() > 0);
        }
    }

    @Test
    void aRefusedConnectionIsCountedAsAConnectErrorAndTheUserRetriesAfterOneSecond() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress("127.0.0.1", FreePort.next());
        try (UserCrowd crowd = new UserCrowd(nobody, 4)) {
            long began = System.nanoTime();
            crowd.arrive(SHORT, request(nobody));
            await(crowd, () -> crowd.connects().errors() >= 8);
            assertTrue(crowd.connects().firstTrouble().startsWith("connection refused"));
            long errors = crowd.connects().errors();
            long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
            assertTrue(errors <= 4 * (1 + seconds), errors + " connect errors in less than " + (seconds + 1) + " s");
            crowd.depart();
        }
    }

    @Test
    void theRateOfConnectErrorsIsCorrectEvenIfTheClockOverflows() {
        // The clock overflows between the first and the second reading.
        long start = Long.MAX_VALUE - 1;
        ConnectTally.Reading before = new ConnectTally.Reading(start, 7);
        ConnectTally.Reading after = new ConnectTally.Reading(start + 6_000_000_000L, 10);
        assertEquals(30, after.errorsPerMinuteSince(before));
    }

    @Test
    void aResponseIsCountedInTheMeasurementDuringWhichItArrives() throws Exception {
        Semaphore answers = new Semaphore(0);
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
                    answers.acquire();
                    ScriptedServer.answer(connection, ScriptedServer.OK);
                });
                UserCrowd crowd = new UserCrowd(address(server), 5)) {
            crowd.arrive(SHORT, request(server));
            await(crowd, () -> server.requests() == 5);
            AnswerTally first = crowd.count();
            answers.release(3);
            await(crowd, () -> first.answers() == 3);
            crowd.freeze(first);
            AnswerTally second = crowd.count();
            answers.release(5);
            await(crowd, () -> second.answers() == 5);
            crowd.freeze(second);
            answers.release(100);
            await(crowd, () -> server.requests() == 5 + 3 + 5 + 100);
            assertEquals(3, first.answers());
            assertEquals(5, second.answers());
            // The server must be closed before the users. Otherwise the server would report that users reset their
            // connections.
            server.close();
        }
    }

    @Test
    void aMeasurementWithoutAResponseGoesOnUntilTheFirstResponse() throws Exception {
        Semaphore answers = new Semaphore(0);
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
                    answers.acquire();
                    ScriptedServer.answer(connection, ScriptedServer.OK);
                });
                UserCrowd crowd = new UserCrowd(address(server), 1)) {
            crowd.arrive(SHORT, request(server));
            AnswerTally tally = crowd.count();
            FutureTask<Void> measurement = new FutureTask<>(() -> {
                crowd.passCounting(SHORT);
                return null;
            });
            start(measurement);
            crowd.pass(SHORT.multipliedBy(2));
            assertFalse(measurement.isDone(), "the measurement has ended without a response");
            answers.release();
            measurement.get(1, TimeUnit.MINUTES);
            crowd.freeze(tally);
            assertEquals(1, tally.answers());
            answers.release(100);
            server.close();
        }
    }

    @Test
    void aRequestWithoutAResponseIncreasesTheHighLatencyPercentiles() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
                    if (number > 1) {
                        LockSupport.parkNanos(20_000_000);
                        ScriptedServer.answer(connection, ScriptedServer.OK);
                    }
                });
                UserCrowd crowd = new UserCrowd(address(server), 2)) {
            crowd.arrive(SHORT, request(server));
            AnswerTally tally = crowd.count();
            await(crowd, () -> tally.answers() >= 3);
            crowd.pass(SHORT);
            crowd.freeze(tally);
            // The server must be closed before the users. Otherwise the server would report that users reset their
            // connections.
            server.close();
            assertEquals(1, tally.usersServed());
            assertTrue(tally.micros(99.9) >= 300_000, "p99.9 is too low, in microseconds: " + tally.micros(99.9));
        }
    }

    @Test
    void responsesToEarlierRequestsAreNotCountedAfterTheRequestIsChanged() throws Exception {
        CountDownLatch former = new CountDownLatch(1);
        Semaphore answers = new Semaphore(0);
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
                    if (number <= 4) {
                        former.await();
                    } else {
                        answers.acquire();
                    }
                    ScriptedServer.answer(connection, ScriptedServer.OK);
                });
                UserCrowd crowd = new UserCrowd(address(server), 4)) {
            crowd.arrive(SHORT, request(server));
            await(crowd, () -> server.requests() == 4);
            crowd.ask(request(server));
            AnswerTally tally = crowd.count();
            former.countDown();
            await(crowd, () -> server.requests() == 8);
            answers.release(3);
            await(crowd, () -> server.requests() == 11);
            crowd.freeze(tally);
            assertEquals(3, tally.answers());
            // The server must be closed before the users. Otherwise the server would report that users reset their
            // connections.
            server.close();
        }
    }

    /** Waits until the condition is true. After each call of {@code pass}, the thread of the test sees the changes by the client loop. */
    private static void await(UserCrowd crowd, BooleanSupplier met) throws IOException, InterruptedException {
        while (!met.getAsBoolean()) {
            crowd.pass(Duration.ofMillis(5));
        }
    }

    private static InetSocketAddress address(ScriptedServer server) {
        return Target.of(URI.create(server.url())).address();
    }

    private static Request request(ScriptedServer server) {
        return Request.get(URI.create(server.url()));
    }

    /** Starts the users, counts the responses until the condition is true, and then stops the users. */
    private static AnswerTally countResponses(UserCrowd crowd, ServerSocket server, Predicate<AnswerTally> so)
            throws IOException, InterruptedException {
        Request request = request(address(server));
        crowd.arrive(SHORT, request);
        AnswerTally tally = crowd.count();
        await(crowd, () -> so.test(tally));
        crowd.freeze(tally);
        crowd.depart();
        return tally;
    }

    private static Request request(InetSocketAddress address) {
        return Request.get(URI.create("http://127.0.0.1:" + address.getPort() + "/"));
    }

    private static InetSocketAddress address(ServerSocket server) {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    }

    /**
     * Starts a server with a thread for each connection. The server sends {@code answer} for every request head. After the response
     * {@code OK_CLOSE}, the server closes the connection.
     */
    private ServerSocket serving(String answer) throws IOException {
        ServerSocket server = listening();
        start(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    accepted.incrementAndGet();
                    start(() -> serve(socket, answer));
                }
            } catch (IOException closed) {
                assertTrue(server.isClosed(), "the server failed before the test closed it");
            }
        });
        return server;
    }

    private static void serve(Socket socket, String answer) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    if (answer.equals(OK_CLOSE)) {
                        return;
                    }
                }
            }
        } catch (IOException reset) {
            // Users reset their connections when the test stops the users.
            assertTrue(reset.getMessage() != null);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
