class NudgeHints < Formula
  desc "Small memory for coding agents"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@ARCHIVES@
  def install
    bin.install "nudge"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/nudge.bash" => "nudge"
    zsh_completion.install "completions/nudge.zsh" => "_nudge"
    fish_completion.install "completions/nudge.fish"
  end

  def caveats
    "`nudge install` puts Nudge into the coding agents of this machine."
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/nudge --version")
  end
end
