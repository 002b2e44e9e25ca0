package io.penstock.http;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditional requests (RFC 9110 section 13): whether the conditions of a request hold for a representation that exists. */
public final class Preconditions {

    /** The result of a request's conditions. */
    public enum Outcome {
        /** The method is performed. */
        PROCEED,
        /** 304. */
        NOT_MODIFIED,
        /** 412. */
        FAILED
    }

    private Preconditions() {}

    /** Evaluates the fields in the order of section 13.2.2, except {@code If-Range}; see {@link #rangeApplies}. */
    public static Outcome evaluate(String method, Fields fields, Validators current) {
        EntityTags ifMatch = EntityTags.of(fields.all("If-Match"));
        if (ifMatch != null) {
            if (!ifMatch.matchStrongly(current.tag())) {
                return Outcome.FAILED;
            }
        } else if (isNewer(current.lastModified(), fields, "If-Unmodified-Since")) {
            return Outcome.FAILED;
        }
        boolean reads = method.equals("GET") || method.equals("HEAD");
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
     * Whether a {@code Range} field applies (section 13.1.5): the request has no {@code If-Range}, or its {@code If-Range} names the
     * current state by a strong validator. A date counts as strong only if the tag is strong.
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

    /** The date in the only field line of that name; null if there are several lines, or if the text is no date. */
    private static @Nullable Instant date(Fields fields, String name) {
        List<String> lines = fields.all(name);
        return lines.size() == 1 ? HttpDate.parse(lines.get(0)) : null;
    }
}
