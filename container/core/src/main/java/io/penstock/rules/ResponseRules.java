package io.penstock.rules;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestPath;
import io.penstock.http.RequestTarget;
import io.penstock.http.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules for the fields of responses. They decide when a head is sent, so that they see all fields that the response has
 * already; a field of the application's own stays as it is.
 *
 * <p>Thread: any. Immutable.
 */
public final class ResponseRules {
    private final List<FieldRule> fields;
    private final List<CrossOrigin> crossOrigin;

    /** @param crossOrigin in the order of the file; the last one that matches decides */
    ResponseRules(List<FieldRule> fields, List<CrossOrigin> crossOrigin) {
        this.fields = List.copyOf(fields);
        this.crossOrigin = List.copyOf(crossOrigin);
    }

    /**
     * The rules of a file.
     *
     * @param mostBytes that all fields of one response together may have
     * @throws IOException with one line that names file and line, if the file cannot be read or is wrong
     */
    public static ResponseRules read(Path file, int mostBytes) throws IOException {
        ResponseRules rules = new RulesFile(file).read();
        int bytes = rules.longest();
        if (bytes > mostBytes) {
            throw new IOException(file + ": all fields together may have " + bytes + " bytes in one response; at most "
                    + mostBytes + " are possible, half of pipe-segment");
        }
        return rules;
    }

    private int longest() {
        return fields.stream().mapToInt(FieldRule::longest).sum()
                + crossOrigin.stream().mapToInt(CrossOrigin::longest).max().orElse(0);
    }

    /**
     * The fields to add to a response.
     *
     * @param request null if it was refused before its request line was known
     * @param own fields of the response
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
     * The fields of the answer to a browser that asks whether a page of another origin may send a request (Fetch standard, section 3.2.2);
     * null if this request is none of that kind, or if no rule is for its path.
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

    /** Whether a rule forbids to change the content of the response to this request, as a compression does. */
    public boolean forbidTransform(RequestHead request) {
        for (FieldRule field : fields) {
            if (field.name().equalsIgnoreCase("Cache-Control")) {
                FieldRule.Choice choice = field.choice(path(request));
                return choice != null && choice.value().toLowerCase(Locale.ROOT).contains("no-transform");
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

    /** The decoded path; null if it is not known, or ambiguous. */
    private static @Nullable String path(@Nullable RequestHead request) {
        if (request == null || !hasPath(request.target())) {
            return null;
        }
        try {
            return RequestPath.of(request.target().path()).decoded();
        } catch (Violation e) {
            return null; // the request is refused for it
        }
    }

    private static boolean hasPath(RequestTarget target) {
        return target.form() == RequestTarget.Form.ORIGIN || target.form() == RequestTarget.Form.ABSOLUTE;
    }
}
