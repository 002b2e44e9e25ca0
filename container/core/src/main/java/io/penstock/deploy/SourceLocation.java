package io.penstock.deploy;

/**
 * The file and line of a declaration, for error messages.
 *
 * @param file the path inside the web application, such as {@code WEB-INF/web.xml}. For a setting of the operator, the origin of the
 *     setting
 * @param line the number of the line, from 1; 0 if the file has no lines
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
