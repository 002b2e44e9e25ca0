package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.reactor.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * An exchange without a server. The test determines when jobs run and how much time passes, and can check all sent bytes. Any thread may
 * add jobs. The jobs run on the test's thread.
 */
public final class FakeExchange implements Exchange {
    private final RequestHead head;
    private final FakeBody body = new FakeBody();
    private final FakeResponse sink = new FakeResponse();
    private ClientState client = ClientState.PRESENT;
    private final Deque<Runnable> jobs = new ArrayDeque<>();
    private final List<Pending> pending = new ArrayList<>();
    private Peer peer;
    private final ByteAccount disk = new ByteAccount(Long.MAX_VALUE);
    private final List<Key> timedOut = new ArrayList<>();
    private Object route = "none";
    private Runnable whenGone = () -> {};
    private volatile boolean overdue;

    /** A delayed job. */
    private static final class Pending implements Timeout {
        private Duration left;
        private final Runnable job;
        private boolean cancelled;

        Pending(Duration left, Runnable job) {
            this.left = left;
            this.job = job;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    public FakeExchange(RequestHead head) {
        this.head = head;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        peer = new Peer("c1", new InetSocketAddress(loopback, 51000), new InetSocketAddress(loopback, 8080), false);
        if (!head.fields().contains("Content-Length") && !head.fields().contains("Transfer-Encoding")) {
            body.declare(0);
            body.end();
        }
    }

    /**
     * Creates an exchange from the text of a request: the request line, and the header lines. If there is no Host field, this method adds a
     * Host field.
     */
    public static FakeExchange of(String requestLine, String... lines) {
        String[] parts = requestLine.split(" ");
        FieldList fields = new FieldList();
        for (String line : lines) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        if (!fields.contains("Host")) {
            fields.add("Host", "example.test");
        }
        Version version = parts.length > 2 && parts[2].equals("HTTP/1.0") ? Version.HTTP_1_0 : Version.HTTP_1_1;
        return new FakeExchange(new RequestHead(parts[0], target(parts[1]), version, fields));
    }

    /** Creates an exchange with a POST request. The body has the given content type, and has arrived completely. */
    public static FakeExchange post(String target, String type, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        FakeExchange exchange = of("POST " + target, "Content-Type: " + type, "Content-Length: " + bytes.length);
        exchange.body.declare(bytes.length);
        exchange.body.arrive(bytes);
        exchange.body.end();
        return exchange;
    }

    private static RequestTarget target(String text) {
        if (text.equals("*")) {
            return new RequestTarget(RequestTarget.Form.ASTERISK, "*", null, null, "*", null);
        }
        return RequestTarget.origin(text);
    }

    /** Makes the connection of this exchange a TLS connection. */
    public FakeExchange over(TlsSession tls) {
        peer = new Peer(peer.connectionId(), peer.remote(), peer.local(), true, tls, true);
        return this;
    }

    /** Runs the waiting jobs, and the jobs that these jobs add. */
    public void runJobs() {
        for (Runnable job = next(); job != null; job = next()) {
            job.run();
        }
    }

    private synchronized Runnable next() {
        return jobs.pollFirst();
    }

    public synchronized int waitingJobs() {
        return jobs.size();
    }

    /** Advances the time, and runs the jobs whose delay has passed. */
    public void elapse(Duration time) {
        synchronized (this) {
            for (Pending timeout : List.copyOf(pending)) {
                timeout.left = timeout.left.minus(time);
                if (!timeout.cancelled && (timeout.left.isZero() || timeout.left.isNegative())) {
                    pending.remove(timeout);
                    jobs.addLast(timeout.job);
                }
            }
        }
        runJobs();
    }

    /** Simulates that the client disconnects, and runs the job of {@link #whenGone}. */
    public void disconnectClient() {
        resume(whenGone);
        runJobs();
    }

    /** Sets the result of {@link #client}. The job of {@link #whenGone} does not run. */
    public void setClientState(ClientState known) {
        client = known;
    }

    @Override
    public boolean isTransformForbidden(ResponseHead response) {
        return false;
    }

    @Override
    public ClientState client() {
        return client;
    }

    /** Simulates that the running call has exceeded its time limit. */
    public void becomeOverdue() {
        overdue = true;
    }

    /** The timeouts that were reported to {@link #timedOut(Key)}. */
    public List<Key> timedOut() {
        return timedOut;
    }

    public void routeTo(Object found) {
        route = found;
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public FakeBody body() {
        return body;
    }

    @Override
    public FakeResponse response() {
        return sink;
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public Object route() {
        return route;
    }

    @Override
    public String id() {
        return "c1-1";
    }

    /** Adds the task to the waiting jobs, so that the test determines when the task runs. */
    @Override
    public synchronized void execute(Runnable task) {
        jobs.addLast(task);
    }

    @Override
    public synchronized void resume(Runnable job) {
        jobs.addLast(job);
    }

    @Override
    public synchronized void whenGone(Runnable job) {
        whenGone = job;
    }

    @Override
    public ByteAccount disk() {
        return disk;
    }

    @Override
    public boolean isOverdue() {
        return overdue;
    }

    @Override
    public void timedOut(Key timeout) {
        timedOut.add(timeout);
    }

    @Override
    public synchronized Timeout resumeAfter(Duration delay, Runnable job) {
        Pending timeout = new Pending(delay, job);
        pending.add(timeout);
        return timeout;
    }
}
