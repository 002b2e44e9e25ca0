package io.penstock.loadtest.run;

import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A picocli mixin: the options for the requests to send. */
final class RequestOptions {
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
        return chunked ? request.withZerosInChunks(bodySize) : request.withZeros(bodySize);
    }
}
