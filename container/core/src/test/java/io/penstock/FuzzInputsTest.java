package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A fuzz test reads its stored inputs from the folder {@code CLASSInputs/METHOD}. If the method is renamed and the folder is not renamed,
 * the fuzz test passes without its inputs. So each folder of inputs must belong to a fuzz test.
 */
class FuzzInputsTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final String INPUTS = "Inputs";

    @Test
    void eachFolderOfInputsBelongsToAFuzzTest() throws Exception {
        List<Path> folders = folders();
        assertFalse(folders.isEmpty(), "no folder of inputs was found");
        List<Path> orphans = new ArrayList<>();
        for (Path folder : folders) {
            if (!belongsToFuzzTest(folder)) {
                orphans.add(folder);
            }
        }
        assertEquals(List.of(), orphans, "folders of inputs without a fuzz test");
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.walk(RESOURCES)) {
            return all.filter(Files::isDirectory)
                    .filter(folder -> folder.getParent().toString().endsWith("FuzzTest" + INPUTS))
                    .toList();
        }
    }

    private static boolean belongsToFuzzTest(Path folder) throws ClassNotFoundException {
        String inputs = RESOURCES.relativize(folder.getParent()).toString().replace('/', '.');
        Class<?> type = Class.forName(inputs.substring(0, inputs.length() - INPUTS.length()));
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals(folder.getFileName().toString())
                        && method.isAnnotationPresent(FuzzTest.class));
    }
}
