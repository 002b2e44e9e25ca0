package io.penstock.work;

import static io.penstock.work.PlayedWorker.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.work.RequestQueue.Offered;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Tests the {@link RequestQueue} with a full heap. A new request must be queued completely or refused with an error. The queue must not
 * lose a request.
 */
final class QueueWithoutMemoryTest {

    @Test
    void noQueuedRequestIsLostIfTheHeapIsFull() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = program.inputReader(StandardCharsets.UTF_8)) {
            int queued = Integer.parseInt(out.readLine());
            assertTrue(
                    queued > Program.BEFORE,
                    "no request was queued after the heap had become full; queued requests: " + queued);
            assertEquals(queued, Integer.parseInt(out.readLine()), "the number of taken requests");
            assertEquals(0, program.waitFor());
        } finally {
            program.destroyForcibly();
        }
    }

    /**
     * Queues many requests, and fills the heap. Then queues more requests with very little free memory, and finally takes all requests.
     * Prints the number of queued requests and the number of taken requests.
     */
    static final class Program {
        /**
         * The number of requests that are queued before the heap is filled. The number is large because of queues that keep all requests
         * in one array. To grow, such a queue would need a larger array, and far more memory than the test frees after a refusal.
         */
        static final int BEFORE = 50_000;

        private static final int REFUSALS = 40;

        /** The number of small arrays that are freed after each refusal. The freed memory has room for more requests. */
        private static final int FREED = 400;

        private static Object[] small = {};
        private static Object[] large = {};

        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            RequestQueue queue = new RequestQueue(Integer.MAX_VALUE, 1);
            Job job = new Nothing();
            int queued = 0;
            while (queued < BEFORE) {
                queued += offered(queue, job);
            }
            for (int i = 0; i < REFUSALS * FREED; i++) {
                small = behind(small, 16);
            }
            fillTheHeap();
            for (int refusals = 0; refusals < REFUSALS; refusals++) {
                try {
                    while (true) {
                        queued += offered(queue, job);
                    }
                } catch (OutOfMemoryError expected) {
                    for (int i = 0; i < FREED; i++) {
                        small = (Object[]) small[0];
                    }
                }
            }
            large = small;
            queue.close();
            int taken = 0;
            while (take(queue) != null) {
                taken++;
            }
            System.out.println(queued);
            System.out.println(taken);
        }

        private static int offered(RequestQueue queue, Job job) {
            return queue.offer(job) == Offered.WAITS ? 1 : 0;
        }

        private static void fillTheHeap() {
            for (int length = 1 << 18; length > 1; length /= 2) {
                try {
                    while (true) {
                        large = behind(large, length);
                    }
                } catch (OutOfMemoryError expected) {
                    // There is no room for an array of this length, so the loop continues with shorter arrays.
                }
            }
        }

        /** Returns a new array of the given length. Its first element is {@code other}. */
        private static Object[] behind(Object[] other, int length) {
            Object[] made = new Object[length];
            made[0] = other;
            return made;
        }
    }

    private static final class Nothing implements Job {
        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }
}
