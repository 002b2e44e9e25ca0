package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.MemoryWatch;
import io.penstock.memory.Rounds;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that no signal and no deadline of a connection is lost with a full heap. A lost signal could leave a client without the rest of its
 * response, and without a deadline its connection would stay for ever.
 */
final class ReactorWithoutMemoryTest {

    @Test
    void noSignalAndNoDeadlineIsLostIfTheHeapIsFull() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UseTLAB", // no thread has memory that others cannot use up
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = program.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("2 signals, 2 deadlines", out.readLine());
            assertEquals(0, program.waitFor());
        } finally {
            program.destroyForcibly();
        }
    }

    /** Signals once with memory and once without. The handler sets a deadline at each signal. */
    static final class Program {
        /** How long the program waits for what does not come. */
        private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

        private static volatile @Nullable Link link;
        private static volatile int signals;
        private static volatile int deadlines;
        private static volatile int failures;
        private static Object @Nullable [] filling = {};

        private Program() {}

        @SuppressWarnings("NonAtomicVolatileUpdate") // only the reactor writes
        private static final class Handler implements LinkHandler {
            private final Deadline deadline;

            Handler(Link link) {
                deadline = new Deadline(link) {
                    @Override
                    protected void passed() {
                        deadlines++;
                    }
                };
            }

            @Override
            public void onReadable() {}

            @Override
            public void onWritable() {}

            @Override
            public void onSignals(int bits) {
                signals++;
                deadline.in(0);
            }

            @Override
            public void onClosed(ConnectionClosed cause) {}
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // only the reactor writes
        public static void main(String[] args) throws Exception {
            MemoryWatch memory = new MemoryWatch(() -> {});
            memory.whenCounted(() -> failures++);
            Reactor reactor = new Reactor(
                    "reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, new Rounds(memory));
            reactor.start();
            try (ServerSocketChannel server = ServerSocketChannel.open()
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                SocketChannel accepted = server.accept();
                accepted.configureBlocking(false);
                reactor.adopt(
                        accepted,
                        made -> {
                            link = made;
                            return new Handler(made);
                        },
                        () -> {});
                BooleanSupplier isOpen = () -> link != null;
                BooleanSupplier first = () -> signals == 1 && deadlines == 1;
                BooleanSupplier second = () -> signals == 2;
                BooleanSupplier failed = () -> failures > 0;
                BooleanSupplier both = () -> deadlines == 2;
                await(isOpen);
                link.signal(1); // loads the classes
                await(first);
                fillTheHeap();
                link.signal(1);
                await(second);
                await(failed); // the deadline has passed, and its action had no memory
                filling = null;
                await(both);
                System.out.println(signals + " signals, " + deadlines + " deadlines");
            } finally {
                reactor.stop();
                reactor.join();
            }
        }

        /** Needs no memory. */
        private static void await(BooleanSupplier what) {
            long end = System.nanoTime() + PATIENCE;
            while (!what.getAsBoolean() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        private static void fillTheHeap() {
            for (int length = 1 << 18; length > 0; length /= 2) {
                try {
                    while (true) {
                        Object[] made = new Object[length];
                        made[0] = filling;
                        filling = made;
                    }
                } catch (OutOfMemoryError expected) {
                    // There is no room for an array of this length, so the loop continues with shorter arrays.
                }
            }
        }
    }
}
