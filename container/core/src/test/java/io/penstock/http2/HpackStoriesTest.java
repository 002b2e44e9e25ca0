package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.http.FieldSection;
import io.penstock.limits.MessageLimits;
import io.penstock.limits.ServerConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Decodes the stories of http2jp/hpack-test-case, blocks that other encoders have made. They are not part of this project: {@code
 * -Dpenstock.hpack.stories=FOLDER} names a checkout. Without it the test is skipped.
 */
@EnabledIfSystemProperty(named = "penstock.hpack.stories", matches = ".+")
class HpackStoriesTest {
    private static final int LARGEST_FIELD = 1 << 16;

    /** A test for each encoder. Its name has the numbers of stories and blocks. */
    @TestFactory
    List<DynamicTest> eachFieldOfEachStoryIsDecoded() throws IOException {
        Path all = Path.of(System.getProperty("penstock.hpack.stories"));
        try (Stream<Path> folders = Files.list(all)) {
            List<DynamicTest> tests = folders.filter(folder -> Files.exists(folder.resolve("story_00.json")))
                    .filter(folder -> !folder.endsWith("raw-data")) // fields without blocks
                    .sorted()
                    .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> stories(folder)))
                    .toList();
            assertTrue(!tests.isEmpty(), "no stories in " + all);
            return tests;
        }
    }

    private static void stories(Path folder) throws Exception {
        int blocks = 0;
        int stories = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                blocks += story(file);
                stories++;
            }
        }
        System.out.println(folder.getFileName() + ": " + stories + " stories, " + blocks + " blocks");
    }

    private static int story(Path file) throws Exception {
        List<?> cases = (List<?>) JsonValue.at(JsonValue.read(compact(Files.readString(file))), "cases");
        int table = largestTable(cases);
        HpackDecoder byField = new HpackDecoder(table);
        HpackDecoder byBlock = new HpackDecoder(table);
        int number = 0;
        for (Object one : cases) {
            byte[] block = HexFormat.of().parseHex(JsonValue.at(one, "wire").toString());
            String name = file.getFileName() + ", block " + number++;
            fields(byField, block, (List<?>) JsonValue.at(one, "headers"), name);
            byBlock.decode(block, 0, block.length, section());
        }
        return cases.size();
    }

    private static int largestTable(List<?> cases) {
        return cases.stream()
                .map(one -> ((Map<?, ?>) one).get("header_table_size"))
                .mapToInt(size -> size == null ? 4096 : ((Double) size).intValue())
                .max()
                .orElseThrow();
    }

    private static FieldSection section() {
        MessageLimits usual = ServerConfig.defaults().messages();
        FieldSection section = new FieldSection(new MessageLimits(
                usual.requestLine(), 1 << 20, 10_000, usual.chunkExtensionBytes(), 1 << 20, usual.bodyBytes()));
        section.begin(true);
        return section;
    }

    /**
     * Decodes a block field by field: the stories have fields that no request may have, and a section keeps nothing behind such a field.
     * What the decoder has put into the section is compared.
     */
    private static void fields(HpackDecoder decoder, byte[] block, List<?> expected, String name) throws Exception {
        int field = 0;
        for (int at = 0; at < block.length; ) {
            int end = endOfRepresentation(block, at);
            FieldSection section = section();
            section.room(0, LARGEST_FIELD);
            decoder.decode(block, at, end, section);
            if ((block[at] & 0xE0) != 0x20) { // not the size of the table
                Map.Entry<?, ?> pair = ((Map<?, ?>) expected.get(field++))
                        .entrySet()
                        .iterator()
                        .next();
                String both = pair.getKey() + "" + pair.getValue();
                byte[] bytes = section.bytes();
                int length = 0;
                while (bytes[length] != 0) {
                    length++;
                }
                assertEquals(both, new String(bytes, 0, length, StandardCharsets.UTF_8), name);
            }
            at = end;
        }
        assertEquals(expected.size(), field, name);
    }

    /** The index behind the representation of a field, or behind a size of the table (RFC 7541 section 6). */
    private static int endOfRepresentation(byte[] block, int start) {
        int first = block[start] & 0xFF;
        if (first >= 0x80) {
            return endOfInteger(block, start, 7);
        }
        if ((first & 0xE0) == 0x20) {
            return endOfInteger(block, start, 5);
        }
        int prefix = (first & 0x40) != 0 ? 6 : 4;
        int at = endOfInteger(block, start, prefix);
        if ((first & (1 << prefix) - 1) == 0) {
            at = endOfText(block, at);
        }
        return endOfText(block, at);
    }

    private static int endOfText(byte[] block, int start) {
        int end = endOfInteger(block, start, 7);
        int length = block[start] & 0x7F;
        for (int at = start + 1; at < end; at++) {
            length += (block[at] & 0x7F) << 7 * (at - start - 1);
        }
        return end + length;
    }

    private static int endOfInteger(byte[] block, int start, int prefix) {
        int most = (1 << prefix) - 1;
        int at = start + 1;
        if ((block[start] & most) == most) {
            while (block[at] < 0) {
                at++;
            }
            at++;
        }
        return at;
    }

    /** Without what the parser of the tests does not know: white space between the values, the escape of a slash, and sizes that are null. */
    private static String compact(String json) {
        StringBuilder compact = new StringBuilder();
        boolean inText = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '\\' && json.charAt(i + 1) != '/') {
                compact.append(c).append(json.charAt(++i));
            } else if (c != '\\' && (inText || c > ' ')) {
                compact.append(c);
                inText ^= c == '"';
            }
        }
        return compact.toString().replaceAll("\"header_table_size\":null,|,\"header_table_size\":null", "");
    }
}
