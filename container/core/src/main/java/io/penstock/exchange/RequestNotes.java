package io.penstock.exchange;

import io.penstock.events.Notes;
import io.penstock.http.Violation;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values that listeners want to know of one request. They are kept until the last byte of the response has been sent, so their memory is
 * counted in the {@link HeadBudget}, like that of the head. The object is made with the first value.
 *
 * <p>Thread: any, under the monitor of the {@link RequestReport}.
 */
final class RequestNotes implements Notes {
    /** The most characters of a value that are kept. */
    static final int LONGEST = 1024;

    // Bytes of memory: this object with its array, and a text without its characters.
    private static final int OBJECT = 56;
    private static final int TEXT = 48;

    private final Wanted wanted;
    private final HeadBudget budget;

    // The response fields, then the attributes, then the id of the session.
    private final @Nullable String[] values;

    // A reservation of the budget.
    private int held;

    RequestNotes(Wanted wanted, HeadBudget budget) {
        this.wanted = wanted;
        this.budget = budget;
        this.values = new String[size(wanted)];
    }

    private static int size(Wanted wanted) {
        return wanted.responseFields().size() + wanted.attributes().size() + 1;
    }

    /** The place of an attribute; negative if nobody wants it. */
    static int ofAttribute(Wanted wanted, String name) {
        int index = wanted.attributes().indexOf(name);
        return index < 0 ? index : wanted.responseFields().size() + index;
    }

    /** The place of the session's id. */
    static int ofSession(Wanted wanted) {
        return size(wanted) - 1;
    }

    /** The text of an attribute's value. No code of the application runs here. */
    static String text(Object value) {
        boolean isPlain = value instanceof String
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof UUID
                || value instanceof Number && value.getClass().getClassLoader() == null;
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        return isPlain ? value.toString() : value.getClass().getName();
    }

    /** Keeps a value in place of the former one. If the budget is used up, there is no value. */
    void set(int place, @Nullable String value) {
        values[place] = value == null || value.length() <= LONGEST ? value : value.substring(0, LONGEST);
        try {
            held = budget.reserve(held, memory(), false);
        } catch (Violation full) {
            // The request goes on, since only its line lacks something.
            values[place] = null;
        }
    }

    private int memory() {
        int bytes = OBJECT + 4 * values.length;
        for (String value : values) {
            bytes += value == null ? 0 : TEXT + 2 * value.length();
        }
        return bytes;
    }

    /** The response will have another head. */
    void forgetResponse() {
        for (int i = 0; i < wanted.responseFields().size(); i++) {
            values[i] = null;
        }
    }

    /** Gives the memory back. Called once, when the request has ended. */
    void release() {
        budget.giveBack(held);
    }

    // ---- the listeners' side

    @Override
    public String responseField(String name) {
        List<String> names = wanted.responseFields();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return at(i);
            }
        }
        return "";
    }

    @Override
    public String attribute(String name) {
        int place = ofAttribute(wanted, name);
        return place < 0 ? "" : at(place);
    }

    @Override
    public String sessionId() {
        return at(ofSession(wanted));
    }

    private String at(int place) {
        String value = values[place];
        return value == null ? "" : value;
    }
}
