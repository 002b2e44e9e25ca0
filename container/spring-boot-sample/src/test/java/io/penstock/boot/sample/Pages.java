package io.penstock.boot.sample;

import jakarta.validation.Valid;
import java.io.IOException;
import java.security.Principal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The pages of the application {@link Workshop}. */
@Controller
class Pages {

    @GetMapping("/")
    String home() {
        return "home";
    }

    @GetMapping("/login")
    String login() {
        return "login";
    }

    @GetMapping("/orders")
    String orders(@ModelAttribute("order") OrderForm order, Principal user, Model model) {
        model.addAttribute("user", user.getName());
        return "orders";
    }

    @PostMapping("/orders")
    String order(
            @Valid @ModelAttribute("order") OrderForm order,
            BindingResult result,
            Principal user,
            Model model,
            RedirectAttributes next) {
        if (result.hasErrors()) {
            model.addAttribute("user", user.getName());
            return "orders";
        }
        next.addFlashAttribute("done", order.getPieces() + " × " + order.getArticle());
        return "redirect:/orders";
    }

    @GetMapping("/drawing")
    String drawing() {
        return "drawing";
    }

    @PostMapping("/drawing")
    String upload(@RequestParam("file") MultipartFile file, Model model) throws IOException {
        model.addAttribute("stored", file.getOriginalFilename() + ", " + file.getBytes().length + " bytes");
        return "drawing";
    }

    @GetMapping("/live")
    String live() {
        return "live";
    }

    @GetMapping("/broken")
    String broken() {
        throw new IllegalStateException("planned");
    }
}
