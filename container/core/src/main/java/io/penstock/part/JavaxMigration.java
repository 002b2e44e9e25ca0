package io.penstock.part;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Converts web applications that were made for {@code javax.servlet}, the former name of {@code jakarta.servlet}. Thread: any, several at
 * once.
 */
public interface JavaxMigration {

    /**
     * The name and the version of the converter. They become part of the names of converted files. Files that another converter or another
     * version has made are not used.
     */
    String version();

    /**
     * Converts one archive, including the archives inside it.
     *
     * @param archive a WAR whose name ends with {@code .war}. This file is not changed
     * @param converted the file for the result. This file exists and is empty
     * @throws IOException if the archive cannot be read or converted, or the result cannot be written
     */
    void convert(Path archive, Path converted) throws IOException;
}
