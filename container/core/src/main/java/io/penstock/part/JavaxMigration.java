package io.penstock.part;

import java.io.IOException;
import java.nio.file.Path;

/** Converts web applications that were made for {@code javax.servlet}, which is {@code jakarta.servlet} now. Thread: any, several at once. */
public interface JavaxMigration {

    /** Name and version of the converter, for the names of files: what another has made is not used. */
    String version();

    /**
     * Converts one archive, with the archives in it.
     *
     * @param archive a WAR, whose name ends with {@code .war}; it stays as it is
     * @param converted where to write the result; the file is there, and empty
     * @throws IOException if the archive cannot be read or converted, or the result cannot be written
     */
    void convert(Path archive, Path converted) throws IOException;
}
