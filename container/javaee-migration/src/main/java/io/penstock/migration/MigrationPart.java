package io.penstock.migration;

import io.penstock.part.ContainerPart;
import io.penstock.part.JavaxMigration;
import java.util.Optional;

/** Gives the container the conversion of archives that were made for {@code javax.servlet}. Thread: any. */
public final class MigrationPart implements ContainerPart {

    @Override
    public Optional<JavaxMigration> migration() {
        return Optional.of(new TomcatMigration());
    }
}
