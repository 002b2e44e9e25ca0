package io.penstock.request;

import io.penstock.http.FormParser;
import io.penstock.http.ParsedBytes;
import io.penstock.http.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses the parameters of one request when the application first asks for parameters (Servlet 3.1). The parameters of the query come
 * first, then the parameters of the body. This class also parses the query strings of dispatches of the request.
 *
 * <p>Thread: one application thread at a time.
 */
final class RequestParameters {
    private final @Nullable String query;
    private final RequestBodyAccess body;
    private final CountedLimits limits;
    private final ParsedBytes memory;
    private @Nullable Parameters parsed;
    private @Nullable Exception failure;

    /** @param query the query of the request's target, or null */
    RequestParameters(@Nullable String query, RequestBodyAccess body, CountedLimits limits, ParsedBytes memory) {
        this.query = query;
        this.body = body;
        this.limits = limits;
        this.memory = memory;
    }

    /**
     * The parameters of query and body.
     *
     * @param view the view of the request as the client sent it
     * @throws IllegalStateException if the parameters are malformed or exceed a limit, or if the body cannot be read. Each later call
     *     throws again, with the same cause
     */
    Parameters of(PathView view) {
        if (failure != null) {
            throw new IllegalStateException("The request's parameters cannot be read", failure);
        }
        if (parsed == null) {
            try {
                parsed = parse(view);
            } catch (IOException | Violation | RuntimeException e) {
                failure = e;
                throw new IllegalStateException("The request's parameters cannot be read", e);
            }
        }
        return parsed;
    }

    private Parameters parse(PathView view) throws IOException, Violation {
        body.fixEncoding();
        FormParser parser = new FormParser(limits.values(), memory);
        if (query != null) {
            parseQuery(query, parser);
        }
        body.addParameters(parser, view);
        return new Parameters(parser.parameters());
    }

    /**
     * Returns the parameters of a dispatch's query, followed by {@code continued}: the parameters of the dispatched request (Servlet
     * 9.1.1).
     *
     * @throws Violation if the parameters of the query are malformed or exceed a limit
     */
    Parameters ofDispatch(String ownQuery, Parameters continued) throws Violation {
        FormParser parser = new FormParser(limits.values(), memory);
        parseQuery(octets(ownQuery), parser);
        return new Parameters(parser.parameters()).before(continued);
    }

    /** The text with each octet of its UTF-8 form as one char. An application may write characters beyond ASCII without an escape. */
    private static String octets(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        return octets.length == text.length() ? text : new String(octets, StandardCharsets.ISO_8859_1);
    }

    private void parseQuery(String text, FormParser parser) throws Violation {
        try {
            parser.parse(text, StandardCharsets.UTF_8);
        } catch (Violation e) {
            throw limits.counted(e);
        }
    }
}
