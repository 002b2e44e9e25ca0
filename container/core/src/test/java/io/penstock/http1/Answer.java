package io.penstock.http1;

import java.util.List;

/** A response that a client has read. */
public record Answer(String statusLine, List<String> fields, String body, List<String> trailers) {

    public int status() {
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    /** Returns the value of the field with this name, or an empty text if this field is missing. Two fields with this name are an error. */
    public String field(String name) {
        String found = "";
        for (String line : fields) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                if (!found.isEmpty()) {
                    throw new AssertionError("two fields with the name " + name + ": " + fields);
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
