package io.penstock.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.Set;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.Test;

/** Tests the module of a program on the module path. A module must name each service that it loads. */
class ModuleTest {
    @Test
    void theModuleNamesTheServicesThatItLoads() throws Exception {
        Path classes = Path.of(
                Naming.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertEquals(
                Set.of(Driver.class.getName(), InitialContextFactory.class.getName()),
                ModuleFinder.of(classes)
                        .find("io.penstock.naming")
                        .orElseThrow()
                        .descriptor()
                        .uses());
    }
}
