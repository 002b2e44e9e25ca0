package io.penstock.migration;

import io.penstock.part.ContainerPart;
import io.penstock.part.JavaxMigration;
import java.util.Optional;

/** Adds the conversion of archives for {@code javax.servlet} to the container. Thread: any. */
public final class MigrationPart implements ContainerPart {

    @Override
    public Optional<JavaxMigration> migration() {
        return Optional.of(new TomcatMigration());
    }
}
