package io.penstock.deploy;

/**
 * Where something is declared, for error messages.
 *
 * @param file path inside the web application, such as {@code WEB-INF/web.xml}
 * @param line from 1; 0 where the file has no lines
 */
public record Where(String file, int line) {

    static Where file(String file) {
        return new Where(file, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
