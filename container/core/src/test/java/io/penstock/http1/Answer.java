package io.penstock.http1;

import java.util.List;

/** One response as the client has read it. */
public record Answer(String statusLine, List<String> fields, String body, List<String> trailers) {

    public int status() {
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    /** Returns the value of the only line with this name, or an empty text if no line has this name. */
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
