# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests that read and write many attributes: no process per access. Paths
# are relative to the root of the interface.
#
#	value PATH WANTED		all of the file, without the last newline
#	mode PATH WANTED		permission bits, or "none"
#	accept PATH TEXT [WANTED]	the write succeeds; what the file tells then
#	refuse ERRNO PATH TEXT		the write fails so; the file tells the same as before
#
# In TEXT \n and \xNN are escapes; nothing is added to it. (An empty text would
# not reach the module.)

sysfs_server()
{
	perl -e '
		use Errno;
		$| = 1;
		my $root = shift;
		my %names = map { (eval "Errno::$_()") => $_ } grep { !/^(EWOULD|EDEADLOCK)/ }
			@Errno::EXPORT_OK;
		while (<STDIN>) {
			chomp;
			my ($op, $path, $text) = split /\t/, $_, 3;
			$path = "$root/$path";
			if ($op eq "mode") {
				my @st = lstat $path;
				print @st ? sprintf("%04o\n", $st[2] & 07777) : "none\n";
				next;
			}
			$text =~ s/\\n/\n/g;
			$text =~ s/\\x(..)/chr hex $1/ge;
			my $f;
			my $ok = sysopen($f, $path, 1) && defined syswrite($f, $text);
			print $ok ? "OK\n" : ($names{$! + 0} || $! + 0) . "\n";
		}' "$SCST"
}

coproc SYSFS { sysfs_server; }

ask()
{
	printf '%s\t%s\t%s\n' "$@" >&"${SYSFS[1]}"
	read -r answer <&"${SYSFS[0]}"
}

# Into $content; unreadable files are empty.
content_of()
{
	content=''
	[ -r "$SCST/$1" ] || return 0
	IFS= read -r -d '' content 2>/dev/null <"$SCST/$1"
	content=${content%$'\n'}
}

shown()
{
	local text=${1//$'\n'/\\n}
	[ ${#text} -le 60 ] || text="${text:0:50}... (${#text} characters)"
	printf '%s' "$text"
}

value()
{
	content_of "$1"
	is "$content" "$2" "$1 is $(shown "$2")"
}

mode()
{
	ask mode "$1" ''
	is "$answer" "$2" "$1 has mode $2"
}

accept()
{
	ask write "$1" "$2"
	if [ "$answer" = OK ] && [ $# -gt 2 ]; then
		content_of "$1"
		is "$content" "$3" "$1 takes '$(shown "$2")'"
	else
		is "$answer" OK "$1 takes '$(shown "$2")'"
	fi
}

refuse()
{
	local before

	content_of "$2"
	before=$content
	ask write "$2" "$3"
	content_of "$2"
	is "$answer, $content" "$1, $before" "$2 refuses '$(shown "$3")': $1"
}
