package io.penstock.loadtest.run;

import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Body;
import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A picocli mixin: the options for the requests to send. */
final class RequestOptions {
    /** A body up to this size, in bytes, is kept in memory. A larger body is generated while it is sent. */
    private static final int LONGEST_KEPT_BODY = 16 << 10;

    @Parameters(paramLabel = "URL", description = "URL to request, such as http://localhost:8080/hello.")
    private @Nullable URI url;

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "Method of the request. Default: GET, or POST if the request has a body.")
    private @Nullable String method;

    @Option(
            names = "--header",
            paramLabel = "'NAME: VALUE'",
            description = "Header field to send with each request. Can be repeated.")
    private List<String> headers = List.of();

    @Option(
            names = "--body-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the request body in bytes, such as 500, 16k or 10m.")
    private @Nullable Long bodySize;

    @Option(names = "--chunked", description = "Send the body in chunks, without Content-Length.")
    private boolean chunked;

    /** @throws IllegalArgumentException if an option is wrong */
    Request request() {
        Request request = Request.of(method(), Target.of(Objects.requireNonNull(url)));
        for (String header : headers) {
            Fields.Field field = Fields.Field.ofOption("--header", header);
            request = request.withField(field.name(), field.value());
        }
        return withBody(request);
    }

    private String method() {
        if (method != null) {
            return method;
        }
        return bodySize == null ? "GET" : "POST";
    }

    private Request withBody(Request request) {
        if (bodySize == null) {
            if (chunked) {
                throw new IllegalArgumentException("--chunked needs --body-size");
            }
            return request;
        }
        long length = bodySize;
        if (chunked) {
            return request.withBody(Body.chunked(() -> new Filler(length)));
        }
        return length <= LONGEST_KEPT_BODY
                ? request.withBody(new byte[(int) length])
                : request.withBody(Body.of(length, () -> new Filler(length)));
    }

    /** Supplies a body that consists of zero bytes. Thread: the thread of the {@code ClientLoop}. */
    static final class Filler implements Body.Source {
        private static final byte[] PIECE = new byte[16 << 10];

        private long remaining;

        Filler(long length) {
            remaining = length;
        }

        @Override
        public boolean read(ByteBuffer into) {
            while (remaining > 0 && into.hasRemaining()) {
                int n = (int) Math.min(remaining, Math.min(PIECE.length, into.remaining()));
                into.put(PIECE, 0, n);
                remaining -= n;
            }
            return remaining > 0;
        }
    }
}
