package io.penstock.events;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the server has noted of one request because a listener asks for it ({@link ConnectionEvents#wanted}). Without such a listener the
 * server notes nothing. A long text is cut. If the memory for heads ({@code head-budget}) is used up, values are missing.
 *
 * <p>Thread: that of the event, until the event returns.
 */
public interface Notes {

    /** No values. */
    Notes NONE = new Notes() {};

    /**
     * The value of the first field line with this name in the head of the response, as the application has set it; empty if there is none,
     * or if no listener wants it.
     */
    default String responseField(String name) {
        return "";
    }

    /**
     * The last value of an attribute of the request; empty if it has none, or if no listener wants it. Numbers, booleans, enum constants and
     * UUIDs are texts; any other object is the name of its class.
     */
    default String attribute(String name) {
        return "";
    }

    /** The id of the session that the request has used last; empty without a session, or if no listener wants it. */
    default String sessionId() {
        return "";
    }

    /**
     * What listeners want to know.
     *
     * @param responseFields names of header fields of responses, without regard to case
     * @param attributes names of attributes of requests
     * @param session whether the id of the session is wanted
     */
    record Wanted(List<String> responseFields, List<String> attributes, boolean session) {

        /** Nothing. */
        public static final Wanted NOTHING = new Wanted(List.of(), List.of(), false);

        public Wanted {
            responseFields = List.copyOf(responseFields);
            attributes = List.copyOf(attributes);
        }

        /** What this object or {@code other} has. */
        public Wanted and(Wanted other) {
            if (other.equals(NOTHING)) {
                return this;
            }
            Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            fields.addAll(responseFields);
            fields.addAll(other.responseFields);
            Set<String> names = new LinkedHashSet<>(attributes);
            names.addAll(other.attributes);
            return new Wanted(new ArrayList<>(fields), new ArrayList<>(names), session || other.session);
        }
    }
}
