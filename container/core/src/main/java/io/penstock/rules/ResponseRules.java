package io.penstock.rules;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules for the fields of responses. The rules are applied when a response head is sent, so they can take all other fields
 * of the response into account. A field that the application has set is not changed.
 *
 * <p>Thread: any. Immutable.
 */
public final class ResponseRules {
    private final List<FieldRule> fields;
    private final List<CrossOrigin> crossOrigin;

    /** @param crossOrigin the CORS rules in the order of the rules file; the last rule that matches applies */
    ResponseRules(List<FieldRule> fields, List<CrossOrigin> crossOrigin) {
        this.fields = List.copyOf(fields);
        this.crossOrigin = List.copyOf(crossOrigin);
    }

    /**
     * Reads the rules from a file.
     *
     * @param mostBytes the most bytes of all added fields of one response together
     * @throws IOException if the file cannot be read or has an error; the one-line message names the file and the line
     */
    public static ResponseRules read(Path file, int mostBytes) throws IOException {
        ResponseRules rules = new RulesFile(file).read();
        int bytes = rules.longest();
        if (bytes > mostBytes) {
            throw new IOException(file + ": one response could get " + bytes + " bytes of fields; the limit is "
                    + mostBytes + ", half of pipe-segment");
        }
        return rules;
    }

    /** Whether the other object has the same rules, in the same order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResponseRules rules
                && fields.equals(rules.fields)
                && crossOrigin.equals(rules.crossOrigin);
    }

    @Override
    public int hashCode() {
        return Objects.hash(fields, crossOrigin);
    }

    private int longest() {
        return fields.stream().mapToInt(FieldRule::longest).sum()
                + crossOrigin.stream().mapToInt(CrossOrigin::longest).max().orElse(0);
    }

    /**
     * The fields to add to a response.
     *
     * @param request the request head; null if the request was refused before its request line was read
     * @param own the response's own fields
     */
    public Fields added(int status, @Nullable RequestHead request, Fields own) {
        if (status < 200) {
            return Fields.EMPTY;
        }
        String path = path(request);
        FieldList added = new FieldList();
        CrossOrigin shared = crossOrigin(path);
        if (shared != null) {
            shared.addTo(added, own, request == null ? null : request.fields().first("Origin"));
        }
        for (FieldRule field : fields) {
            String value = field.value(status, path, own);
            if (value != null) {
                added.add(field.name(), value);
            }
        }
        return added;
    }

    /**
     * The fields of the response to a preflight request. By a preflight request, a browser asks whether a page of another origin may send a
     * request (Fetch standard, section 3.2.2). Null if {@code request} is no preflight request, or if no CORS rule matches its path.
     */
    public @Nullable Fields preflight(RequestHead request) {
        if (crossOrigin.isEmpty() || !request.method().equals("OPTIONS")) {
            return null;
        }
        String origin = request.fields().first("Origin");
        if (origin == null || !request.fields().contains("Access-Control-Request-Method")) {
            return null;
        }
        String path = path(request);
        CrossOrigin shared = path == null ? null : crossOrigin(path);
        return shared == null || !shared.isOn() ? null : shared.preflight(origin);
    }

    /**
     * Whether the rules forbid transformations of the response, such as compression (RFC 9111 section 5.2.2.6).
     *
     * @param response the head that the application has made
     */
    public boolean forbidTransform(RequestHead request, ResponseHead response) {
        for (FieldRule field : fields) {
            if (field.name().equalsIgnoreCase("Cache-Control")) {
                String value = field.value(response.status(), path(request), response.fields());
                return value != null && value.toLowerCase(Locale.ROOT).contains("no-transform");
            }
        }
        return false;
    }

    private @Nullable CrossOrigin crossOrigin(@Nullable String path) {
        for (int i = crossOrigin.size() - 1; i >= 0; i--) {
            if (crossOrigin.get(i).paths().matches(path)) {
                return crossOrigin.get(i);
            }
        }
        return null;
    }

    /** The decoded path; null if the path is unknown or ambiguous. */
    private static @Nullable String path(@Nullable RequestHead request) {
        if (request == null || !hasPath(request.target())) {
            return null;
        }
        try {
            return RequestPath.of(request.target().path()).decoded();
        } catch (Violation e) {
            // The path is ambiguous, so the request will be refused.
            return null;
        }
    }

    private static boolean hasPath(RequestTarget target) {
        return target.form() == RequestTarget.Form.ORIGIN || target.form() == RequestTarget.Form.ABSOLUTE;
    }
}
