package io.penstock.naming;

import io.penstock.environment.DataSourceDefinition;
import java.nio.file.Path;
import java.util.List;

/**
 * A data source that the operator configures.
 *
 * @param jars the jars with the driver; empty if the driver is in the application or on the server's class path
 */
record ConfiguredSource(DataSourceDefinition definition, List<Path> jars) {
    ConfiguredSource {
        jars = List.copyOf(jars);
    }
}
