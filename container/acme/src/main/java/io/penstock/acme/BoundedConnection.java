package io.penstock.acme;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.DefaultConnection;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/**
 * A connection to an authority with limits for the time and the size of an answer. The connection class of the ACME library waits for the
 * body of an answer without a limit. The JDK's stream of a body also ignores an interrupt. Thread: the thread of the order. Threads of the
 * HTTP client collect the answer.
 */
final class BoundedConnection extends DefaultConnection {
    /** The maximum size of an answer in bytes. A certificate chain is much smaller. */
    private static final int LARGEST = 1 << 20;

    private final Duration longest;

    private BoundedConnection(HttpConnector connector, Duration longest) {
        super(connector);
        this.longest = longest;
    }

    /** Makes connections of this class for a {@link Session}. */
    static final class Provider extends GenericAcmeProvider {
        @Override
        public Connection connect(URI authority, NetworkSettings settings, HttpClient client) {
            return new BoundedConnection(createHttpConnector(settings, client), settings.getTimeout());
        }
    }

    @Override
    protected void sendRequest(Session session, URL url, Consumer<HttpRequest.Builder> content) throws IOException {
        HttpRequest.Builder request =
                httpConnector.createRequestBuilder(url).header("Accept-Language", session.getLanguageHeader());
        content.accept(request);
        CompletableFuture<HttpResponse<InputStream>> answer = httpClient.sendAsync(request.build(), head -> new Body());
        try {
            // The time limit includes the whole body of the answer.
            lastResponse = answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException(url + " has not answered within " + longest.toSeconds() + " s");
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            // This call has no effect if the answer has arrived.
            answer.cancel(true);
        }
    }

    /** Collects the body of an answer. The threads of the HTTP client call this class, one at a time. */
    private static final class Body implements HttpResponse.BodySubscriber<InputStream> {
        private final CompletableFuture<InputStream> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription source;

        @Override
        public CompletionStage<InputStream> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                if (bytes.size() + part.remaining() > LARGEST) {
                    if (source != null) {
                        source.cancel();
                    }
                    whole.completeExceptionally(new IOException("the answer is larger than " + LARGEST + " bytes"));
                    return;
                }
                byte[] content = new byte[part.remaining()];
                part.get(content);
                bytes.writeBytes(content);
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            whole.complete(new ByteArrayInputStream(bytes.toByteArray()));
        }
    }
}
