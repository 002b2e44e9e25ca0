package io.penstock.part;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Converts web applications that were made for {@code javax.servlet}, the former name of {@code jakarta.servlet}. Thread: any, several at
 * once.
 */
public interface JavaxMigration {

    /** Name and version of the converter, which become part of file names. Results of other converters or versions are not used. */
    String version();

    /**
     * Converts one archive, including the archives inside it.
     *
     * @param archive a WAR, whose name ends with {@code .war}; it is not changed
     * @param converted the file for the result; it exists and is empty
     * @throws IOException if the archive cannot be read or converted, or the result cannot be written
     */
    void convert(Path archive, Path converted) throws IOException;
}
