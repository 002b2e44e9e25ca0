package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletRegistration;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;

/** Tests an application without a descriptor. Spring's {@code ServletContainerInitializer} starts Spring MVC. */
class SpringMvcIT {
    private static final String BOUNDARY = "frontier";
    private static final int LARGEST_FILE = 400_000;
    private static final int LARGEST_FORM = 700_000;

    @TempDir
    Path folder;

    /** Spring's {@code ServletContainerInitializer} finds this class. */
    public static class Start extends AbstractAnnotationConfigDispatcherServletInitializer {
        @Override
        protected Class<?>[] getRootConfigClasses() {
            return new Class<?>[0];
        }

        @Override
        protected Class<?>[] getServletConfigClasses() {
            return new Class<?>[] {Beans.class};
        }

        @Override
        protected String[] getServletMappings() {
            return new String[] {"/"};
        }

        @Override
        protected void customizeRegistration(ServletRegistration.Dynamic registration) {
            registration.setMultipartConfig(new MultipartConfigElement("", LARGEST_FILE, LARGEST_FORM, 0));
        }
    }

    @Configuration
    @EnableWebMvc
    public static class Beans {
        @Bean
        public Pages pages(ExecutorService executor) {
            return new Pages(executor);
        }

        @Bean
        public MultipartResolver multipartResolver() {
            return new StandardServletMultipartResolver();
        }

        @Bean(destroyMethod = "shutdownNow")
        public ExecutorService executor() {
            return Executors.newFixedThreadPool(2);
        }
    }

    /** The fields of a form. */
    public static class Order {
        @NotBlank
        private String article;

        @Min(1)
        private int pieces;

        public String getArticle() {
            return article;
        }

        public void setArticle(String article) {
            this.article = article;
        }

        public int getPieces() {
            return pieces;
        }

        public void setPieces(int pieces) {
            this.pieces = pieces;
        }
    }

    @RestController
    public static class Pages {
        private final ExecutorService executor;

        Pages(ExecutorService executor) {
            this.executor = executor;
        }

        @GetMapping("/greet/{name}")
        public String greet(@PathVariable("name") String name) {
            return "Hello " + name;
        }

        @PostMapping("/upload")
        public String upload(@RequestParam("file") MultipartFile file, @RequestParam("title") String title)
                throws IOException {
            return title + ": " + file.getOriginalFilename() + " " + file.getBytes().length;
        }

        @GetMapping("/later")
        public DeferredResult<String> later() {
            DeferredResult<String> result = new DeferredResult<>(20_000L);
            executor.execute(() -> result.setResult("at last"));
            return result;
        }

        @GetMapping("/too-late")
        public DeferredResult<String> tooLate() {
            return new DeferredResult<>(100L, "given up");
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        public SseEmitter events() {
            SseEmitter emitter = new SseEmitter(20_000L);
            executor.execute(() -> {
                try {
                    for (int i = 1; i <= 3; i++) {
                        emitter.send(SseEmitter.event().id("" + i).data("tick " + i));
                    }
                    emitter.complete();
                } catch (IOException e) {
                    emitter.completeWithError(e);
                }
            });
            return emitter;
        }

        @PostMapping("/order")
        public String order(@Valid @ModelAttribute("order") Order order, BindingResult errors) {
            return errors.hasErrors()
                    ? "refused: "
                            + errors.getFieldErrors().stream()
                                    .map(error -> error.getField())
                                    .sorted()
                                    .toList()
                    : order.getPieces() + " " + order.getArticle();
        }

        @PostMapping("/strict")
        public String strict(@Valid @ModelAttribute("order") Order order) {
            return "taken";
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(SpringMvcIT.class)
                .libraries(
                        "spring-",
                        "micrometer-",
                        "jspecify",
                        "commons-logging",
                        "hibernate-validator",
                        "jakarta.validation-api",
                        "jboss-logging-3",
                        "classmate")
                .write(folder.resolve("spring.war"));
    }

    @Test
    void aSpringMvcApplicationRespondsToRequests() throws Exception {
        Trial.of(folder, war()).run(site -> {
            assertEquals("Hello Anna", site.get("greet/Anna").body());
            assertEquals(404, site.get("nowhere").statusCode());
            assertEquals(405, site.form("greet/Anna", "").statusCode());
            uploads(site);
            assertEquals("at last", site.get("later").body());
            assertEquals("given up", site.get("too-late").body());
            events(site);
            assertEquals("3 pens", site.form("order", "article=pens&pieces=3").body());
            assertEquals(
                    "refused: [article, pieces]",
                    site.form("order", "article=&pieces=0").body());
            assertEquals(400, site.form("strict", "article=&pieces=0").statusCode());
        });
    }

    private static void uploads(Site site) throws Exception {
        assertEquals("mine: x.txt 300000", upload(site, 300_000).body());
        assertEquals(413, upload(site, LARGEST_FILE + 1).statusCode());
        assertEquals(413, upload(site, 350_000, 350_000).statusCode());
        // By default, the server refuses a form with more than 1000 parts (max-parts).
        assertEquals(413, upload(site, new int[1001]).statusCode());
    }

    /** @param lengths the lengths of the uploaded files */
    private static HttpResponse<String> upload(Site site, int... lengths) throws Exception {
        StringBuilder form = new StringBuilder(
                "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nmine\r\n");
        for (int length : lengths) {
            form.append("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.txt\"\r\n"
                    + "Content-Type: text/plain\r\n\r\n" + "x".repeat(length) + "\r\n");
        }
        form.append("--" + BOUNDARY + "--\r\n");
        return site.post("upload", "multipart/form-data; boundary=" + BOUNDARY, form.toString());
    }

    private static void events(Site site) throws Exception {
        HttpResponse<String> events = site.get("events", "Accept", "text/event-stream");
        assertTrue(
                events.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream"),
                () -> events.headers().toString());
        assertEquals("id:1\ndata:tick 1\n\nid:2\ndata:tick 2\n\nid:3\ndata:tick 3\n\n", events.body());
    }
}
