package io.penstock.migration;

import io.penstock.part.JavaxMigration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.tomcat.jakartaee.EESpecProfiles;
import org.apache.tomcat.jakartaee.Info;
import org.apache.tomcat.jakartaee.Migration;
import org.slf4j.LoggerFactory;

/**
 * Converts archives with Apache Tomcat's migration tool for Jakarta EE. The tool converts the APIs that Tomcat provides: Servlet, Pages,
 * EL, WebSocket, annotations. It only renames packages, so calls of methods that Servlet 6 has removed are replaced in a second step.
 */
final class TomcatMigration implements JavaxMigration {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(TomcatMigration.class);

    /** The version of the second step. A new version converts all archives again. */
    private static final String STEP = "-2";

    /**
     * The logger of the migration tool. The tool logs a message for each nested archive, so the level is set to {@code WARNING}. Without
     * this reference, the logger could be garbage-collected together with its level.
     */
    private static final Logger TOOL = Logger.getLogger(Migration.class.getCanonicalName());

    static {
        TOOL.setLevel(Level.WARNING);
    }

    @Override
    public String version() {
        return Info.getVersion() + STEP;
    }

    @Override
    public void convert(Path archive, Path converted) throws IOException {
        try {
            convert(archive, converted, false);
        } catch (IOException e) {
            // Some archives cannot be read as a stream, because the sizes of uncompressed members follow the data.
            try {
                convert(archive, converted, true);
            } catch (IOException again) {
                again.addSuppressed(e);
                throw again;
            }
        }
        CallReplacement calls = new CallReplacement();
        calls.replaceIn(converted);
        if (!calls.left().isEmpty()) {
            LOG.warn(
                    "{}: uses what Servlet 6 has removed, and there is no replacement, so these calls will fail: {}",
                    archive,
                    calls.left());
        }
    }

    private static void convert(Path archive, Path converted, boolean inMemory) throws IOException {
        Migration migration = new Migration();
        migration.setEESpecProfile(EESpecProfiles.TOMCAT);
        migration.setZipInMemory(inMemory);
        migration.setSource(archive.toFile());
        migration.setDestination(converted.toFile());
        migration.execute();
    }
}
