package io.penstock.peer.content;

import jakarta.websocket.OnClose;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The WebSocket endpoints of the servers that have Jakarta WebSocket. They use only what Jakarta WebSocket 2.0 has. */
public final class Endpoints {
    public static final Set<Class<?>> ALL = Set.of(Echo.class, Broadcast.class);

    private Endpoints() {}

    /**
     * Sends each message back. {@code ?buffer=N}: messages have at most N bytes or characters; without this parameter, the server's own limit
     * holds. Tomcat allocates a buffer of this size for each session, also if it is the limit of an annotation.
     */
    @ServerEndpoint("/ws/echo")
    public static final class Echo {
        @OnOpen
        public void onOpen(Session session) {
            session.getRequestParameterMap().getOrDefault("buffer", List.of()).forEach(bytes -> {
                session.setMaxTextMessageBufferSize(Integer.parseInt(bytes));
                session.setMaxBinaryMessageBufferSize(Integer.parseInt(bytes));
            });
        }

        @OnMessage
        public String onText(String message) {
            return message;
        }

        @OnMessage
        public byte[] onBinary(byte[] message) {
            return message;
        }
    }

    /**
     * Sends to all sessions of {@code /ws/broadcast/reader}, one after the other, by {@code getBasicRemote} or {@code getAsyncRemote}. The
     * sender is a session of {@code /ws/broadcast/basic} or {@code /ws/broadcast/async}, and its text is one of these:
     *
     * <pre>
     *   send N BYTES RATE → a thread sends N binary messages; with a RATE above 0, so many a second. The answer is the first report
     *   report            → the answer is the {@link Run#report} about this thread
     *   any other text    → is sent to the readers
     * </pre>
     */
    @ServerEndpoint("/ws/broadcast/{role}")
    public static final class Broadcast {
        private static final Set<Session> READERS = ConcurrentHashMap.newKeySet();

        private Run run = new Run(false, 0, 0, 0);

        @OnOpen
        public void onOpen(Session session, @PathParam("role") String role) {
            if (role.equals("reader")) {
                READERS.add(session);
            }
        }

        @OnClose
        public void onClose(Session session) {
            READERS.remove(session);
        }

        @OnMessage
        public void onText(String text, Session session, @PathParam("role") String role) throws IOException {
            boolean async = role.equals("async");
            if (text.startsWith("send ")) {
                String[] words = text.split(" ");
                run = new Run(
                        async, Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                Thread sender = new Thread(run, "sender");
                sender.setDaemon(true);
                sender.start();
            }
            if (text.startsWith("send ") || text.equals("report")) {
                session.getBasicRemote().sendText(run.report());
            } else {
                for (Session reader : READERS) {
                    if (async) {
                        reader.getAsyncRemote().sendText(text, result -> {});
                    } else {
                        reader.getBasicRemote().sendText(text);
                    }
                }
            }
        }
    }

    /**
     * Sends messages to all readers, and measures each call of a remote endpoint.
     *
     * <p>Thread: a thread of its own; {@link #report} any.
     */
    private static final class Run implements Runnable {
        private static final int NOTHING_RUNS = 0;

        private final boolean async;
        private final int messages;
        private final int bytes;
        private final int rate;
        private final CallTimes times = new CallTimes();
        private int sent;
        private long failed;
        private long callSince = NOTHING_RUNS;

        Run(boolean async, int messages, int bytes, int rate) {
            this.async = async;
            this.messages = messages;
            this.bytes = bytes;
            this.rate = rate;
        }

        @Override
        public void run() {
            long start = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                if (rate > 0 && !awaitDue(start + i * TimeUnit.SECONDS.toNanos(1) / rate)) {
                    return;
                }
                byte[] message = new byte[bytes];
                for (Session reader : Broadcast.READERS) {
                    if (reader.isOpen()) {
                        send(reader, ByteBuffer.wrap(message));
                    }
                }
                synchronized (this) {
                    sent++;
                }
            }
        }

        private static boolean awaitDue(long due) {
            try {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                return true;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private void send(Session reader, ByteBuffer message) {
            long begun = System.nanoTime();
            begin(begun);
            try {
                if (async) {
                    reader.getAsyncRemote().sendBinary(message, result -> {
                        if (!result.isOK()) {
                            fail();
                        }
                    });
                } else {
                    reader.getBasicRemote().sendBinary(message);
                }
            } catch (IOException | RuntimeException refused) {
                // The report has the number of these. The server decides whether the session ends.
                fail();
            } finally {
                end(System.nanoTime() - begun);
            }
        }

        private synchronized void begin(long now) {
            callSince = now;
        }

        private synchronized void end(long nanos) {
            callSince = NOTHING_RUNS;
            times.add(TimeUnit.NANOSECONDS.toMicros(nanos));
        }

        private synchronized void fail() {
            failed++;
        }

        /**
         * One line: the messages sent so far, the calls that failed or whose messages were not sent, the longest call and the 99.9th percentile of
         * all calls in microseconds, and the number of open readers. A call that is running counts as longest with its time so far.
         */
        synchronized String report() {
            long running = callSince == NOTHING_RUNS ? 0 : System.nanoTime() - callSince;
            return "sent=" + sent + " failed=" + failed + " longestMicros="
                    + Math.max(times.longest(), TimeUnit.NANOSECONDS.toMicros(running)) + " p999Micros="
                    + times.percentile(99.9) + " readers=" + Broadcast.READERS.size();
        }
    }

    /** A histogram of times in microseconds, with five significant bits. Thread: one at a time. */
    static final class CallTimes {
        private static final int BITS = 5;

        private final long[] counts = new long[Long.SIZE << BITS];
        private long number;
        private long longest;

        void add(long micros) {
            int shift = Math.max(0, Long.SIZE - BITS - Long.numberOfLeadingZeros(micros));
            counts[(shift << BITS) + (int) (micros >>> shift)]++;
            number++;
            longest = Math.max(longest, micros);
        }

        long longest() {
            return longest;
        }

        /** The time that so many per cent of all times do not exceed, rounded down to five significant bits; 0 without times. */
        long percentile(double percent) {
            long left = (long) Math.ceil(number * percent / 100);
            for (int i = 0; i < counts.length; i++) {
                left -= counts[i];
                if (left <= 0) {
                    return (long) (i & (1 << BITS) - 1) << (i >>> BITS);
                }
            }
            return longest;
        }
    }
}
