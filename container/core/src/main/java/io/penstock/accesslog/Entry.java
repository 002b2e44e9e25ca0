package io.penstock.accesslog;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.util.List;
import java.util.Optional;

/**
 * One request on its way into the log: what its line needs and nothing more. The request's head, which may be large, is not kept.
 *
 * <p>Made by whoever tells of the end, then immutable.
 */
final class Entry {
    private static final Request.FieldLookup NO_FIELDS = name -> Optional.empty();

    private final RequestSummary summary;
    private final String[] fields;

    private Entry(RequestSummary summary, String[] fields) {
        this.summary = summary;
        this.fields = fields;
    }

    /** @param names of the header fields that the line shows */
    static Entry of(RequestSummary summary, List<String> names) {
        Request request = summary.request();
        String[] fields = new String[names.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = request.fields().first(names.get(i)).orElse("");
        }
        Request bare = new Request(
                request.connection(),
                request.number(),
                request.remote(),
                request.method(),
                request.target(),
                request.protocol(),
                NO_FIELDS);
        return new Entry(
                new RequestSummary(
                        bare,
                        summary.user(),
                        summary.outcome(),
                        summary.status(),
                        summary.reason(),
                        summary.volume(),
                        summary.times()),
                fields);
    }

    RequestSummary summary() {
        return summary;
    }

    Request request() {
        return summary.request();
    }

    /** The value of the field that stands at this place among the names; empty if the request had none. */
    String field(int index) {
        return fields[index];
    }

    /** Characters of text that it holds. */
    int chars() {
        int chars = request().method().length()
                + request().target().length()
                + request().protocol().length()
                + summary.reason().length()
                + summary.user().length();
        for (String field : fields) {
            chars += field.length();
        }
        return chars;
    }
}
