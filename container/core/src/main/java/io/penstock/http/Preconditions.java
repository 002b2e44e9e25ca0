package io.penstock.http;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates conditional requests (RFC 9110 section 13). Decides whether the conditions of a request are true for an existing
 * representation.
 */
public final class Preconditions {

    /** The result of a request's conditions. */
    public enum Outcome {
        /** The server must perform the method. */
        PROCEED,
        /** The response is 304. */
        NOT_MODIFIED,
        /** The response is 412. */
        FAILED
    }

    private Preconditions() {}

    /**
     * Evaluates the fields in the order of section 13.2.2, except {@code If-Range}; see {@link #rangeApplies}. The conditions of a QUERY
     * are those of a GET for the result of the query (RFC 10008 section 2.6).
     */
    public static Outcome evaluate(String method, Fields fields, Validators current) {
        EntityTags ifMatch = EntityTags.of(fields.all("If-Match"));
        if (ifMatch != null) {
            if (!ifMatch.matchStrongly(current.tag())) {
                return Outcome.FAILED;
            }
        } else if (isNewer(current.lastModified(), fields, "If-Unmodified-Since")) {
            return Outcome.FAILED;
        }
        boolean reads = method.equals("GET") || method.equals("HEAD") || method.equals("QUERY");
        EntityTags ifNoneMatch = EntityTags.of(fields.all("If-None-Match"));
        if (ifNoneMatch != null) {
            if (!ifNoneMatch.matchWeakly(current.tag())) {
                return Outcome.PROCEED;
            }
            return reads ? Outcome.NOT_MODIFIED : Outcome.FAILED;
        }
        Instant since = date(fields, "If-Modified-Since");
        boolean unmodified = since != null
                && current.lastModified() != null
                && !current.lastModified().isAfter(since);
        return reads && unmodified ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }

    /**
     * Whether the server must use a {@code Range} field (section 13.1.5). The server must use the field if the request has no {@code
     * If-Range}, or if {@code If-Range} has a strong validator of the current state. A date counts as a strong validator only if the entity
     * tag is strong.
     */
    public static boolean rangeApplies(Fields fields, Validators current) {
        List<String> lines = fields.all("If-Range");
        if (lines.isEmpty()) {
            return true;
        }
        EntityTag tag = current.tag();
        if (lines.size() > 1 || tag == null || tag.strength() == EntityTag.Strength.WEAK) {
            return false;
        }
        EntityTag wanted = EntityTag.parse(lines.get(0));
        if (wanted != null) {
            return wanted.matchesStrongly(tag);
        }
        Instant date = HttpDate.parse(lines.get(0));
        return date != null && date.equals(current.lastModified());
    }

    private static boolean isNewer(@Nullable Instant lastModified, Fields fields, String name) {
        Instant limit = date(fields, name);
        return limit != null && lastModified != null && lastModified.isAfter(limit);
    }

    /**
     * Returns the date in the only field line with this name. Returns null if there is no line or more than one line, or if the text is no
     * date.
     */
    public static @Nullable Instant date(Fields fields, String name) {
        List<String> lines = fields.all(name);
        return lines.size() == 1 ? HttpDate.parse(lines.get(0)) : null;
    }
}
