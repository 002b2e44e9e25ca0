package io.penstock.security;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.NoBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestBody;
import io.penstock.exchange.Response;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.rules.ErrorDocuments;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Exchange} (request and response) of a client that has followed the redirect after the login. Its request is the request that
 * was saved before the login. All other parts of the exchange belong to the redirected request.
 *
 * <p>Thread: the same threads as for the exchange of the redirected request.
 */
final class RestoredExchange implements Exchange {
    private final Exchange carrier;
    private final RequestHead head;
    private final RequestBody body;

    RestoredExchange(Exchange carrier, SavedRequest saved) {
        this.carrier = carrier;
        RequestHead now = carrier.head();
        FieldList fields = FieldList.copyOf(saved.fields());
        for (String name : new String[] {"Host", "Cookie"}) {
            now.fields().all(name).forEach(value -> fields.add(name, value));
        }
        ByteBuffer bytes = saved.body().duplicate();
        if (bytes.hasRemaining()) {
            fields.add("Content-Length", Integer.toString(bytes.remaining()));
        }
        head = new RequestHead(saved.method(), now.target(), now.version(), fields);
        body = bytes.hasRemaining() ? new SavedBody(bytes) : NoBody.INSTANCE;
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public RequestBody body() {
        return body;
    }

    @Override
    public Response response() {
        return carrier.response();
    }

    @Override
    public Peer peer() {
        return carrier.peer();
    }

    @Override
    public Object route() {
        return carrier.route();
    }

    @Override
    public ByteAccount disk() {
        return carrier.disk();
    }

    @Override
    public String id() {
        return carrier.id();
    }

    @Override
    public String protocolRequestId() {
        return carrier.protocolRequestId();
    }

    @Override
    public String protocolConnectionId() {
        return carrier.protocolConnectionId();
    }

    @Override
    public void resume(Runnable job) {
        carrier.resume(job);
    }

    @Override
    public void execute(Runnable task) {
        carrier.execute(task);
    }

    @Override
    public Timeout resumeAfter(Duration delay, Runnable job) {
        return carrier.resumeAfter(delay, job);
    }

    @Override
    public void whenGone(Runnable job) {
        carrier.whenGone(job);
    }

    @Override
    public void user(String name) {
        carrier.user(name);
    }

    @Override
    public void session(String id) {
        carrier.session(id);
    }

    @Override
    public void attribute(String name, @Nullable Object value) {
        carrier.attribute(name, value);
    }

    @Override
    public ErrorDocuments.@Nullable Document errorPage(int status) {
        return carrier.errorPage(status);
    }

    @Override
    public ClientState client() {
        return carrier.client();
    }

    @Override
    public void threw(Throwable thrown) {
        carrier.threw(thrown);
    }

    @Override
    public boolean isTransformForbidden(ResponseHead response) {
        return carrier.isTransformForbidden(response);
    }

    @Override
    public boolean isOverdue() {
        return carrier.isOverdue();
    }

    @Override
    public void timedOut(Key timeout) {
        carrier.timedOut(timeout);
    }

    /** A request body in memory. */
    private static final class SavedBody implements RequestBody {
        private final ByteBuffer left;
        private final int length;

        SavedBody(ByteBuffer body) {
            left = body;
            length = body.remaining();
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public int read(ByteBuffer target) {
            if (!target.hasRemaining()) {
                return 0;
            }
            if (!left.hasRemaining()) {
                return -1;
            }
            int count = Math.min(target.remaining(), left.remaining());
            target.put(left.slice(left.position(), count));
            left.position(left.position() + count);
            return count;
        }

        @Override
        public int available() {
            return left.remaining();
        }

        @Override
        public boolean isFinished() {
            return !left.hasRemaining();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void whenReady(Runnable action) {
            action.run();
        }

        @Override
        public Fields trailers() {
            return Fields.EMPTY;
        }
    }
}
