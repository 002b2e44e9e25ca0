package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests applications that throw an {@link Error}, for example because memory is exhausted. The client must get 500, and the server must
 * continue to serve other clients.
 */
class OutOfMemoryInApplicationTest {
    private static final int MANY = 8;

    /** The errors that the application throws. */
    enum Thrown {
        ARRAY_TOO_LARGE(() -> new OutOfMemoryError("Requested array size exceeds VM limit, as if"), 1),
        NO_THREAD(() -> new OutOfMemoryError("unable to create native thread, as if"), 1),
        NO_DIRECT_MEMORY(() -> new OutOfMemoryError("Cannot reserve 1 bytes of direct buffer memory, as if"), 1),
        NO_STACK(() -> new StackOverflowError("as if"), 0),
        INTERNAL(() -> new InternalError("as if"), 0),
        MISSING(() -> new NoClassDefFoundError("as/If"), 0),
        DEATH(ThreadDeath::new, 0);

        private final Supplier<Error> made;
        private final int counted;

        Thrown(Supplier<Error> made, int counted) {
            this.made = made;
            this.counted = counted;
        }
    }

    private record Throwing(Thrown thrown, boolean async) {
        Error error() {
            return thrown.made.get();
        }
    }

    private static final class Failing extends HttpServlet {
        private final transient Throwing throwing;

        Failing(Throwing throwing) {
            this.throwing = throwing;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            if (throwing.async()) {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    throw throwing.error();
                });
            } else {
                throw throwing.error();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void anErrorInTheApplicationDoesNotAffectOtherRequests(Thrown thrown) throws Exception {
        AtomicInteger ends = new AtomicInteger();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .onOutOfMemory(ends::incrementAndGet)
                .context("/", context -> {
                    context.servlet("who", new WhoServlet(), "/who");
                    context.servlet("failing", new Failing(new Throwing(thrown, false)), "/failing");
                    context.servlet("task", new Failing(new Throwing(thrown, true)), "/task");
                })
                .start()) {
            for (int i = 0; i < MANY; i++) {
                assertEquals(500, RawExchange.get(server, "/failing").status());
                assertEquals(500, RawExchange.get(server, "/task").status());
                assertEquals(200, RawExchange.get(server, "/who").status());
            }
            assertEquals(2L * MANY * thrown.counted, server.counters().get("out-of-memory"));
            assertEquals(0, ends.get()); // the action of onOutOfMemory runs only if the heap is full
        }
    }
}
