package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.AcceptEncoding;
import io.penstock.http.ContentCoding;
import io.penstock.http.Vary;
import io.penstock.limits.Compression;
import io.penstock.limits.Compression.CompressionMode;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Chooses between a file and its compressed siblings, such as {@code app.js.br} beside {@code app.js} (RFC 9110 section 12.1). If a file
 * has siblings, the response has the header field {@code Vary}, even if the client accepts no content coding.
 *
 * <p>Thread: several workers at the same time.
 */
final class Negotiation {
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    private final CompressedFiles siblings;
    private final Compression rules;

    Negotiation(CompressedFiles siblings, Compression rules) {
        this.siblings = siblings;
        this.rules = rules;
    }

    /** Chooses the file or a sibling, and sets {@code Vary} if the file has siblings. */
    Representation choose(HttpServletRequest request, HttpServletResponse response, Resource file) {
        List<ContentCoding> offered = isNegotiable(request, response) ? siblings.of(file) : List.of();
        if (offered.isEmpty()) {
            return Representation.plain(file);
        }
        if (!Vary.covers(response.getHeaders("Vary"), ACCEPT_ENCODING)) {
            response.addHeader("Vary", ACCEPT_ENCODING);
        }
        String agent = request.getHeader("User-Agent");
        return agent != null && rules.excludes(agent)
                ? Representation.plain(file)
                : best(AcceptEncoding.parse(Collections.list(request.getHeaders(ACCEPT_ENCODING))), file, offered);
    }

    private Representation best(AcceptEncoding accepted, Resource file, List<ContentCoding> codings) {
        List<ContentCoding> offered = new ArrayList<>(codings);
        for (ContentCoding best = accepted.best(offered); best != null; best = accepted.best(offered)) {
            Resource sibling = siblings.find(file, best);
            if (sibling != null) {
                return new Representation(file, sibling, best);
            }
            offered.remove(best);
        }
        return Representation.plain(file);
    }

    /** Whether a sibling may be sent. A sibling is not sent for an error page, or if a filter has already set a content coding. */
    private boolean isNegotiable(HttpServletRequest request, HttpServletResponse response) {
        return rules.mode() != CompressionMode.OFF
                && request.getDispatcherType() != DispatcherType.ERROR
                && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"))
                && response.getHeader("Content-Encoding") == null;
    }
}
