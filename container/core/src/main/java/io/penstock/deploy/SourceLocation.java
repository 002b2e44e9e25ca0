package io.penstock.deploy;

/**
 * The place of a declaration, for error messages.
 *
 * @param file path inside the web application, such as {@code WEB-INF/web.xml}
 * @param line from 1; 0 if the file has no lines
 */
public record SourceLocation(String file, int line) {

    static SourceLocation file(String file) {
        return new SourceLocation(file, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
