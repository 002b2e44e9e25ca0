package io.penstock.http1;

import java.util.List;

/** One response as the client has read it. */
public record Answer(String statusLine, List<String> fields, String body, List<String> trailers) {

    public int status() {
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    /** The value of the only line with this name. If there is none, the result is an empty text. */
    public String field(String name) {
        String found = "";
        for (String line : fields) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                if (!found.isEmpty()) {
                    throw new AssertionError("two lines of " + name + ": " + fields);
                }
                found = line.substring(name.length() + 1).strip();
            }
        }
        return found;
    }

    public boolean has(String name) {
        return !field(name).isEmpty();
    }
}
