package io.penstock.http;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content codings that a client accepts, from {@code Accept-Encoding} (RFC 9110 section 12.5.3).
 *
 * <p>If a client does not send the field, the server uses no coding, although RFC 9110 allows any coding. Malformed members of the list are
 * skipped. If a coding is named twice, the first member counts.
 */
public final class AcceptEncoding {
    /** The highest number of members that are read. No client sends so many members. */
    private static final int MAX_MEMBERS = 64;

    private static final int NOT_NAMED = -1;
    private static final AcceptEncoding NOTHING = new AcceptEncoding();

    private final Map<ContentCoding, Integer> weights = new EnumMap<>(ContentCoding.class);
    private int identity = NOT_NAMED;
    private int any = NOT_NAMED;

    private AcceptEncoding() {}

    /** @param fieldValues the values of all lines of the field */
    public static AcceptEncoding parse(List<String> fieldValues) {
        if (fieldValues.isEmpty()) {
            return NOTHING;
        }
        AcceptEncoding accepted = new AcceptEncoding();
        int members = 0;
        for (String value : fieldValues) {
            int start = 0;
            while (start < value.length() && members < MAX_MEMBERS) {
                int comma = value.indexOf(',', start);
                int end = comma < 0 ? value.length() : comma;
                accepted.add(value.substring(start, end).strip());
                members++;
                start = end + 1;
            }
        }
        return accepted;
    }

    private void add(String member) {
        int semicolon = member.indexOf(';');
        String name = semicolon < 0 ? member : member.substring(0, semicolon).stripTrailing();
        int weight = semicolon < 0
                ? QualityValue.MAX
                : QualityValue.thousandths(member.substring(semicolon + 1).strip());
        if (weight < 0) {
            return;
        }
        if (name.equals("*")) {
            any = any == NOT_NAMED ? weight : any;
        } else if (name.equalsIgnoreCase("identity")) {
            identity = identity == NOT_NAMED ? weight : identity;
        } else {
            for (ContentCoding coding : ContentCoding.values()) {
                if (isNamed(coding, name)) {
                    weights.putIfAbsent(coding, weight);
                }
            }
        }
    }

    /** {@code x-gzip} is another name of gzip (RFC 9110 section 8.4.1.3). */
    private static boolean isNamed(ContentCoding coding, String name) {
        return name.equalsIgnoreCase(coding.token()) || coding == ContentCoding.GZIP && name.equalsIgnoreCase("x-gzip");
    }

    private int weight(ContentCoding coding) {
        return weights.getOrDefault(coding, any);
    }

    /**
     * Returns the acceptable coding with the highest weight. If several codings have this weight, the result is the coding that is offered
     * first. Returns null if no coding is acceptable, or if the client names {@code identity} with a higher weight.
     */
    public @Nullable ContentCoding best(Collection<ContentCoding> offered) {
        ContentCoding best = null;
        int weight = 0;
        for (ContentCoding coding : offered) {
            if (weight(coding) > weight) {
                best = coding;
                weight = weight(coding);
            }
        }
        return identity > weight ? null : best;
    }
}
